import { story } from '../../../src/kinds/story/kind.ts'
import { type Drafts, hostileText, hostileTitle } from './draft.ts'

const paragraphs = (...each: string[]) => each.join('\n\n')
const [lighthouse, bread] = story.examples

const pilot = {
  title: 'The Pilot Who Counted Stairs',
  body: paragraphs(
    'There were two hundred and eleven stairs from the quay to the chapel, and the old pilot counted them every morning, because a harbour in which one stair was missing could not be trusted with a ship.',
    'One spring he counted two hundred and twelve. He went down and counted again, slowly, touching each with his stick. Two hundred and twelve. He told the baker, who laughed, and the harbour master, who did not.',
    '“Which one is new?” she asked. That was the trouble: all of them were worn in the middle, all had moss in the corners. Whoever had added a stair had added its years as well.',
    'They searched for a week. In the end a girl found it by sitting down on each and waiting. On the ninety-third she said that the view was not hers. She could see a mast there, far out, where the sea was empty from every other stair. The pilot sat beside her until evening. Then he fetched his cap, and took the boat out to meet it.',
  ),
  topics: ['fiction', 'the-sea'],
}

const clerk = paragraphs(
  'The clerk of the storehouse was paid to write down what arrived, and he wrote it down exactly. When a crate said that it was empty, he wrote that it said so, and weighed it. When a letter ordered him to burn the ledger, he copied the order into the ledger, with the hour and the colour of the ink.',
  'People brought him stranger and stranger things. A barrel labelled with the end of the page. A parcel whose address was a question. A small box that claimed to be the last line of every list in the house. He gave each a number and a shelf.',
  'In winter an inspector came and asked how a man could stay honest among so many liars. The clerk turned the ledger round. It was all there, he said, word for word, and not one word of it had ever been his.',
)

const arabic = {
  title: 'حارس المنارة والنورس',
  body: paragraphs(
    'كان حارس المنارة يصعد الدرج كل مساء وفي يده مصباح صغير وكتاب لم يكمل قراءته منذ سنوات. وفي كل مساء كان النورس نفسه ينتظره على حافة النافذة، ينظر إلى البحر ثم ينظر إليه كأنه يسأله عن أخبار السفن.',
    'قال الحارس في نفسه إن الطيور لا تسأل، ولكنه صار يحدثه. حكى له عن السفينة التي عادت بعد عامين محملة بالقهوة، وعن الصياد الذي نسي شباكه في القمر، وعن الليلة التي انطفأ فيها المصباح فأضاءت القرية كلها نوافذها حتى تجد القوارب طريقها إلى المرفأ.',
    'ثم جاء شتاء قاس ولم يأت النورس. جلس الحارس قرب النافذة وفتح الكتاب وقرأ الصفحات الأخيرة بصوت عال، صفحة بعد صفحة، حتى انتهت الحكاية وسكن البحر. وعند الفجر سمع نقرا خفيفا على الزجاج. كان النورس هناك، ومعه نورس آخر أصغر منه، وكلاهما ينظر إلى الكتاب وينتظر البداية.',
    'ضحك الحارس ومسح الزجاج بكمه، ثم عاد إلى الصفحة الأولى وبدأ يقرأ من جديد، على مهل، كمن يعرف أن الليل طويل وأن السفن كلها في طريقها إلى البيت.',
  ),
  topics: ['the-sea', 'birds'],
}

export const stories: Drafts = {
  August: [{ by: 'harbour', role: 'deleted', body: bread as object }],
  October: [{ by: 'harbour', role: 'removed', body: lighthouse as object }],
  November: [
    {
      by: 'hostile',
      role: 'hostile',
      body: { title: hostileTitle, body: paragraphs(hostileText, clerk), topics: ['fiction'] },
    },
    { by: 'rightToLeft', role: 'written right to left', body: arabic },
    { by: 'tides', role: 'edited', body: pilot },
    { by: 'harbour', body: bread as object },
    { by: 'harbour', role: 'plain', body: lighthouse as object },
  ],
}
