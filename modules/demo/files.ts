// Small sample files for ticket attachments.
/** Returns a PNG of a dark screen in a light frame. */
export function photo(): Buffer {
  return Buffer.from(SCREEN, 'base64');
}

const SCREEN =
  'iVBORw0KGgoAAAANSUhEUgAAAKAAAABkCAAAAAAk3WRTAAAArUlEQVR4nO3Oyw2CAABEQepA8YuK0H8PlmUDJh7egd3kTQUzfMINewf+MUgZpA' +
  'xSBqmq4Jjjd/CQwyBVGjzmMEiVBqccBqnS4CmHQao0eM5hkCoNXnIYpEqD1xwGqdLgLYdBqjR4z2GQKg3OOQxSpcFHDoNUafCZwyBVGnzlMEiV' +
  'BpccBqnS4DuHQao0uOYwSJUGtxwGqdJgJIOUQcogZZAySBmkDFIGKYNUfPALWGiq0zSp7MgAAAAASUVORK5CYII=';

/** Returns a PDF of one page with one line of plain letters. */
export function plan(line: string): Buffer {
  const drawing = `BT /F1 14 Tf 60 780 Td (${line}) Tj ET\n60 500 400 240 re S\n`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${drawing.length} >>\nstream\n${drawing}endstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let text = '%PDF-1.4\n';
  const places = objects.map((each, i) => {
    const at = text.length;
    text += `${i + 1} 0 obj\n${each}\nendobj\n`;
    return `${String(at).padStart(10, '0')} 00000 n \n`;
  });
  const table = text.length;
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join('')}`;
  text += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${table}\n%%EOF\n`;
  return Buffer.from(text);
}
