// Words of almost any question, which say nothing about its subject. English and German, folded as search words are.

/**
 * Returns whether a folded word is such a word.
 * @example `wordsIn('How do I print from home?', { longest: 40 }).filter((each) => !isStopWord(each)) // print, home`
 */
export const isStopWord = (word: string): boolean => stopWords.has(word);

const english = `a about after all also am an and any anybody are as at be been before but by can cannot cant could
  couldnt did didnt do does doesnt doing don dont else every for from get give got had has have havent he hello help her
  hey hi him his how i if in into is isnt it its just know let like me more my need no not now of off ok okay on one or
  our out over please she so some still tell than thank thanks that the their them then there these they this those to
  too up us use using want was wasnt we were what when where which while who why will with wont would yes you your`;

const german = `aber alle als am an andere auch auf aus bei beim bin bis bist bitte bräuchte brauche brauchen da damit danke
  dann das dass dein deine dem den der des dich die dies diese diesem diesen dieser dieses dir doch dort du durch ein
  eine einem einen einer eines er es etwas euch für gegen gehen geht gern gerne gibt guten habe haben hallo hat hatte
  hier hilfe ich ihm ihn ihnen ihr ihre ihrem ihren im immer in ins ist ja jede jeder jedes jemand jetzt kann kannst kein
  keine keinen können könnte leider machen macht man mein meine meinem meinen meiner meines mich mir mit möchte muss
  müssen nach nein nicht nichts noch nun nur ob oder ohne schon sehr sein seine seit sich sie sind so soll sollen über um
  und uns unser unsere unserem unseren unter vom von vor wann warum was weil welche welchem welchen welcher welches wenn
  wer werden wie wieder wieso will wir wird wo wollen wurde zu zum zur`;

const stopWords: ReadonlySet<string> = new Set(
  `${english} ${german}`.split(/\s+/).map((each) => each.normalize('NFKD').replace(/\p{M}/gu, '')),
);
