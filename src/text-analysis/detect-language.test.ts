import assert from 'node:assert/strict'
import { test } from 'node:test'
import { languageOf } from './search-vector.ts'

const clear: [language: string, text: string][] = [
  ['en', 'The ferries to the island run again from Monday, until half past one at night.'],
  ['de', 'Die Fähre fährt ab Montag wieder jede Stunde, aber nicht in der Nacht.'],
  ['fr', 'Le bac est en retard à cause de la brume, et les passagers attendent sur le quai.'],
  ['es', 'El ferry no sale hoy por la niebla, pero mañana habrá servicio como siempre.'],
  ['pt', 'O barco para Cacilhas não funciona hoje, mas amanhã já há serviço como sempre.'],
  ['it', 'Il traghetto non parte oggi per la nebbia, ma domani il servizio è regolare.'],
  ['nl', 'De veerboot vaart vandaag niet door de mist, maar morgen is er weer dienst.'],
  ['sv', 'Färjan går inte i dag på grund av dimman, men i morgon är det trafik som vanligt.'],
  ['da', 'Færgen sejler ikke i dag på grund af tågen, men i morgen er der drift igen.'],
  ['no', 'Ferja går ikke i dag på grunn av tåka, men i morgen er det trafikk igjen som før.'],
  ['fi', 'Lautta ei kulje tänään sumun vuoksi, mutta huomenna se on taas liikenteessä ja niin edelleen.'],
  ['ru', 'Паром сегодня не ходит из-за тумана, но завтра он снова будет по расписанию.'],
  ['en', 'Ferry to Cacilhas'],
]
for (const [language, text] of clear)
  test(`a text in ${language} is detected: ${text.slice(0, 30)}`, () => assert.equal(languageOf([text]), language))

test('short texts, unsupported languages and lists of names are not detected', () => {
  for (const text of [
    '',
    'Ferry',
    'Lisboa Cacilhas Barreiro',
    '東京の天気は晴れです',
    'Prom nie kursuje dzisiaj',
    '42 17',
    'de la',
  ])
    assert.equal(languageOf([text]), null, text)
})
