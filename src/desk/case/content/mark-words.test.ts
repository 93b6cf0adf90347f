import assert from 'node:assert/strict'
import { test } from 'node:test'
import { prose } from '../../../kinds/presentation/prose.ts'
import { html } from '../../../markup/html.ts'
import { markArticle, markedCategories, markedText, traceRules } from './mark-words.ts'

const title = 'title="Matches a rule: Scams and fraud"'
const marked = (text: string) => markArticle(prose(text), [traceRules(text)])

test('words that match a rule are marked with the name of the category, across lines and links', () => {
  assert.equal(
    marked('Hi & <b>.\n\nGuaranteed\nprofits here'),
    `<p dir="auto" lang="">Hi &#38; &#60;b&#62;.</p>\n<p dir="auto" lang=""><mark ${title}>Guaranteed</mark><br><mark ${title}>\nprofits</mark> here</p>`,
  )
  const link = marked('guaranteed https://a.example/ no risk').replaceAll(/<a [^>]*>/g, '<a>')
  assert.equal(
    link,
    `<p dir="auto" lang=""><mark ${title}>guaranteed </mark><a><mark ${title}>https://a.example/</mark></a><mark ${title}> no risk</mark></p>`,
  )
})

test('an ordinary text, and everything beside the author’s words, stays as it was', () => {
  const plain = prose('The ferry leaves at nine.')
  assert.equal(markArticle(plain, [traceRules('The ferry leaves at nine.')]), plain)
  const ours = html`<dt>Guaranteed profits</dt>`
  assert.equal(markArticle(ours, [traceRules('Guaranteed profits')]), ours)
})

test('hostile text stays text, marked or not', () => {
  const text = 'Guaranteed profits <script>alert(1)</script> &#60;b&#62; "quoted" \u0000'
  assert.match(marked(text), /<mark [^>]*>Guaranteed profits<\/mark> &#60;script&#62;/)
  assert.doesNotMatch(marked(text), /<script|<b>/)
  assert.match(markedText(traceRules(text)), /&#60;script&#62;alert\(1\)&#60;\/script&#62;/)
  assert.match(markedText(traceRules(text)), /&#38;#60;b&#38;#62;/)
})

test('overlapping marks name every category', () => {
  const text = 'Guaranteed profits'
  const triggers = [
    { category: 'scam_fraud' as const, start: 0, end: 10 },
    { category: 'spam' as const, start: 5, end: 18 },
  ]
  assert.equal(
    markedText({ text, triggers }).replaceAll('Matches a rule: ', ''),
    '<mark title="Scams and fraud">Guara</mark><mark title="Scams and fraud, Spam">nteed</mark><mark title="Spam"> profits</mark>',
  )
  const twice = [0, 5].map((start) => ({ category: 'spam' as const, start, end: start + 8 }))
  assert.equal(markedText({ text, triggers: twice }), '<mark title="Matches a rule: Spam">Guaranteed pr</mark>ofits')
  assert.deepEqual(markedCategories([{ text, triggers }]), ['Scams and fraud', 'Spam'])
})
