import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPerhapsEnglish } from './language.ts'

for (const text of [
  'We meet on Friday to talk about the garden and the new paths.',
  'ok',
  'Ferry at nine',
  'For sale, 12 €',
  'The boat from Tallinn (Таллинн) to Hiiumaa leaves at nine on Friday.',
  'See https://example.org/wir/treffen/uns/am/freitag or write to wir.treffen@uns.example for the new paths.',
  'U dun say so early hor, see you at the shop tmr then.',
  '',
  '12345 !!!',
])
  test(`“${text}” is judged`, () => assert.ok(isPerhapsEnglish(text)))

for (const text of [
  'Wir treffen uns am Freitag, um über den Garten und die neuen Wege zu sprechen.',
  'Nos vemos el viernes para hablar del jardín y de los caminos nuevos.',
  'Nous nous voyons vendredi pour parler du jardin et des nouveaux chemins.',
  'Мы встретимся в пятницу, чтобы поговорить о саде.',
  '我们星期五见面',
  'Alle Nachbarn Kommen Heute Nacht',
  'alle kommen',
  'Grüße',
  'We meet at nine. мы встретимся в пятницу',
])
  test(`“${text}” is not judged, because it is not English`, () => assert.equal(isPerhapsEnglish(text), false))

const english = 'We meet on Friday to talk about the garden and the new paths.'
const german = 'Wir treffen uns am Freitag, um über den Garten und die neuen Wege zu sprechen.'
for (const [name, text] of [
  ['before much of another language', `${english} ${`${german} `.repeat(10)}`],
  ['much of it, around one sentence in another language', `${`${english} `.repeat(20)}${german} ${english.repeat(20)}`],
  ['without full stops', `${english} ${german} ${english}`.toLowerCase().replaceAll('.', '')],
] as const)
  test(`an English sentence does not hide another language:  ${name}`, () =>
    assert.equal(isPerhapsEnglish(text), false))
