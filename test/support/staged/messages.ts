import { message } from '../../../src/kinds/message/kind.ts'
import { type Draft, type Drafts, hostileText } from './draft.ts'

const lisbon = { country: 'PT', state: 'PT-11', city: { geonames_id: 2267057, name: 'Lisbon' } }
const [ferry, rainfall, reminder] = message.examples

const stations = ['Aveiro', 'Bergen', 'Cádiz', 'Dakar', 'Esbjerg', 'Faro', 'Gdynia', 'Horta', 'Izola', 'Jakarta']
const weathers = ['rain since noon', 'a dry evening', 'fog on the pier', 'first frost', 'gusts from west', 'calm sea']

/** More than a page of the archive holds, and more than a shelf shows. */
const readings = stations.flatMap((station, row) =>
  weathers.map((weather, column): Draft => {
    const metres = (1.2 + row * 0.31 + column * 0.17).toFixed(2)
    return {
      by: 'tides',
      body: {
        text: `${station}, gauge ${row * 7 + column}: ${weather}, water at ${metres} m.`,
        topics: ['tide-gauges', `gauge-${row}`],
      },
    }
  }),
)

export const messages: Drafts = {
  August: [
    { by: 'hostile', role: 'hostile', body: { text: hostileText, topics: ['odd-notices'] } },
    { by: 'tides', body: rainfall as object },
    { by: 'harbour', body: { text: 'The summer timetable ends on Sunday.', topics: ['timetables'], location: lisbon } },
  ],
  October: readings,
  November: [
    { by: 'harbour', role: 'removed', body: { text: 'Found on the quay: one glove, left hand, grey wool.' } },
    { by: 'harbour', role: 'deleted', body: { text: 'The swing bridge opens at four today.', topics: ['bridges'] } },
    { by: 'harbour', role: 'edited', body: { text: 'The night market moves to Thursday.', location: lisbon } },
    {
      by: 'rightToLeft',
      role: 'written right to left',
      body: {
        text: 'عادت العبّارة إلى العمل بين ضفّتي النهر كل عشر دقائق ابتداءً من يوم الاثنين. التفاصيل: https://ferries.example/ar',
        topics: ['ferries', 'public-transport'],
        location: { country: 'EG', city: { geonames_id: 360630, name: 'Cairo' } },
      },
    },
    {
      by: 'tides',
      body: {
        text: '二重橋の水位計は午前六時に一メートル八十センチを記録しました。次の更新は正午です。',
        topics: ['tide-gauges', 'open-data'],
        location: { country: 'JP', state: 'JP-13' },
      },
    },
    {
      by: 'harbour',
      body: {
        text: 'Three notes for skippers:\n\n1. The north basin closes on Tuesday at 07:00 for dredging.\n2. Fuel is sold at the east quay only.\n3. The lock opens on the hour; call on channel 12.\n\nAll soundings: https://charts.example/lisbon/north-basin/2026-11/soundings?format=pdf&layers=depths,buoys,lights,obstructions&language=en',
        topics: ['harbours', 'ferries', 'dredging'],
        location: lisbon,
      },
    },
    { by: 'harbour', body: { text: 'Fog over the estuary. Ferries wait.', topics: ['ferries'], location: lisbon } },
    { by: 'tides', body: reminder as object },
    { by: 'harbour', role: 'plain', body: ferry as object },
  ],
}
