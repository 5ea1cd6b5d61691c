// An oxlint rule: names chosen by callers must not be looked up in objects that inherit `constructor`, `toString` and
// more.

const isLiteral = (node) => node.type === 'Literal' || node.type === 'PrivateIdentifier';

/** `Record<string, …>`, also within `Readonly<…>`. */
function isRecordOfNames(type) {
  if (type?.type !== 'TSTypeReference') return false;
  const [first] = type.typeArguments?.params ?? [];
  if (type.typeName.name === 'Readonly' || type.typeName.name === 'Partial') return isRecordOfNames(first);
  return type.typeName.name === 'Record' && first?.type === 'TSStringKeyword';
}

const noInheritedNames = {
  create: (context) => ({
    BinaryExpression(node) {
      if (node.operator !== 'in' || isLiteral(node.left)) return;
      context.report({ node, message: '`in` also finds inherited names: use Object.hasOwn, a Map or a Set' });
    },
    VariableDeclarator({ id, init }) {
      if (init?.type !== 'ObjectExpression' || init.properties.length > 0) return;
      if (!isRecordOfNames(id.typeAnnotation?.typeAnnotation)) return;
      context.report({
        node: init,
        message: 'An object that is filled by name must start as a Map, a dictionary() or Object.create(null)',
      });
    },
  }),
};

export default { meta: { name: 'keelson' }, rules: { 'no-inherited-names': noInheritedNames } };
