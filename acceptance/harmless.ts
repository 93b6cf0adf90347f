// Harmless text, never twice alike: a service may refuse near-duplicates before it charges, across accounts and runs. Every text is
// put together from parts chosen at random, with a word in it that nobody has used.
import { randomInt } from 'node:crypto'
import { marker } from './accounts.ts'

const pick = (list) => list[randomInt(list.length)]
/** `count` different members of a list, in random order. */
function several(list, count) {
  const rest = [...list]
  return Array.from({ length: Math.min(count, rest.length) }, () => rest.splice(randomInt(rest.length), 1)[0])
}

const who =
  'The public library on Mill Street|The ferry to the northern island|A small bakery behind the station|The volunteer fire brigade|Our neighbourhood choir|The botanical garden|The bicycle workshop of the youth club|The night bus to the airport|The harbour museum|The weather station in the river meadow|A retired watchmaker|The indoor swimming pool|The chess club of the old town|The mountain rescue team|The seed exchange|The school orchestra|The keeper of the upper lock|The municipal archive|The beekeepers of the valley|The open-air cinema|The pottery class|A family of storks|The tram line to the cemetery|The allotment society|The pharmacy next to the bridge|The amateur astronomers'.split(
    '|',
  )
const does =
  'opens one hour earlier than before|is looking for two more helpers|has finally repaired the leaking roof|shows photographs from the nineteen sixties|offers free lessons for beginners|sells the last apples of the year|moves to a larger hall|has counted a record number of visitors|invites everybody to an open rehearsal|publishes a new timetable|collects warm clothes and blankets|mends broken lamps and radios without charge|plants forty young lime trees|measured the first frost of the season|lends out telescopes and binoculars|bakes rye bread after an old recipe|found a box of handwritten letters|celebrates its seventieth birthday|has painted the benches green|gives away surplus tomato seedlings|restores a wooden sailing boat|answers questions about hedgehogs|prints maps of the footpaths|tries out quieter engines'.split(
    '|',
  )
const where =
  'in the square before the town hall|beside the canal path|on the third floor of the old mill|under the railway arches|at the edge of the birch wood|in the courtyard of the primary school|near the eastern gate|on the roof of the market hall|between the two bridges|in the former customs house|behind the glassworks|along the sea wall|in the garden of the parsonage|at the end of platform nine|in the cellar of the brewery|opposite the lighthouse|at the foot of the ski jump|in the greenhouse number four'.split(
    '|',
  )
const when =
  'from next Monday on|until the end of the winter|on the second Sunday of each month|every Thursday after sunset|during the autumn holidays|as long as the snow stays|between Easter and midsummer|on market days|for the next six weeks|whenever the flag is up|on the evening of the full moon|twice a day at low tide|from nine in the morning|shortly before Christmas|on all weekdays except Tuesday|in the first week of March'.split(
    '|',
  )
const asides =
  'Bring good shoes and something warm to drink.|There is room for about thirty people.|Children under twelve need no ticket.|Dogs are welcome if they keep quiet.|The entrance is at the back, past the chestnut tree.|Please leave your umbrellas at the door.|A thermos of tea goes round as usual.|Those who come by train should take the slow one.|The lift is out of order, but the stairs are short.|Half of the seats are kept for pupils.|Nobody has to sing alone.|The old brass bell rings when it begins.|In heavy rain it takes place one day later.|Spare gloves lie in the blue box.|The path is lit, though not very well.|Somebody will explain everything in sign language.|Coffee costs what you like to give.|The first to arrive may choose the music.|Last year it was over by seven.|A list of names hangs beside the clock.|Left-handed tools are available.|The mayor has promised to stay away from the microphone.|Wheelchairs can use the ramp on the river side.|Returning jars is appreciated.'.split(
    '|',
  )

/** A message of two or three sentences; its last word before the full stop is `word`. */
export const messageText = (word = marker()) =>
  `${pick(who)} ${pick(does)} ${pick(where)} ${pick(when)}. ${several(asides, 2).join(' ')} The notice is filed under ${word}.`
/** The word of a text that `messageText` made. */
export const wordOf = (text) => /filed under (\w+)\./.exec(text)[1]

const names =
  'Ilse Bruno Matteo Signe Pelle Rosalind Teodor Amparo Wenzel Halima Jorun Casimir Oda Florian Nerys Anselm'.split(' ')
const animals = ['cat', 'goat', 'heron', 'donkey', 'goose', 'hedgehog', 'raven', 'otter', 'mule', 'terrier']
const trades =
  'lighthouse keeper|bookbinder|ferryman|piano tuner|glassblower|postwoman|baker|map maker|clock mender|gardener'.split(
    '|',
  )
const towns = 'Ostheim|Vallorbe|Kirkhaven|Lindosa|Marstrand|Pontecorvo|Tarnow|Brackwater|Sankt Veit|Elmsea'.split('|')

const beginnings = [
  (s) =>
    `Every evening at six ${s.name} the ${s.trade} of ${s.town} climbed the narrow stairs, lit the lamp and looked for the boats that had not come home. There were seldom more than ${s.number}, and all of them had names that belonged to somebody's grandmother. That autumn, however, one boat was missing for longer than the others.`,
  (s) =>
    `When the railway to ${s.town} was given up, only the station clock went on, because ${s.name}, a ${s.trade} by profession and a stubborn person by nature, wound it each Friday. Travellers no longer came. The clock showed the right time to nettles, to swallows and to a ${s.animal} that slept on the platform.`,
  (s) =>
    `In ${s.town} people say that a house remembers who was kind to it. ${s.name} did not believe a word of this when she rented the yellow house beside the tannery, with its ${s.number} windows and a kitchen that smelled of quinces. She was a ${s.trade}, and believed in things that could be measured.`,
  (s) =>
    `The letter that ${s.name} received in the first week of November was addressed to somebody who had been dead for ${s.number} years. The ${s.trade} of ${s.town} knew the handwriting all the same, for it was the one on the jars in the pantry, and therefore opened the envelope with a butter knife, slowly, at the table.`,
  (s) =>
    `Nobody in ${s.town} could say where the ${s.animal} had come from. One morning it stood in front of the workshop of ${s.name} the ${s.trade}, wet to the bone, and refused to go away. By noon it had eaten ${s.number} pears and half of a straw hat, and by evening it had a name.`,
]
const troubles = [
  (s) =>
    `Then the fog came down and stayed for nine days. The bell was rung by hand, once a minute, and whoever rang it slept between two strokes. On the sixth night the rope tore. ${s.name} heard the silence before anyone else did, sat up in the dark and counted, as children count after lightning, waiting for the sound.`,
  (s) =>
    `What happened next was a matter of arithmetic. The dam above the valley held back more water than it had been built for, the engineers in the capital were on holiday, and the only person who had noticed was ${s.name}, who kept a notebook in which each day had one line. The line for that Tuesday was underlined.`,
  (s) =>
    `It was the ${s.animal} that found the door. Behind the cupboard, where the plaster was damp, it scratched for three nights until a hinge could be seen. ${s.name} fetched a lamp and a crowbar, thought better of the crowbar, and pushed. The door opened as if it had been oiled the day before, without any noise.`,
  (s) =>
    `A stranger arrived with the last bus and asked for a room with a view of the sea. There is no sea in ${s.town}, but ${s.name} was too polite to say so and gave him the attic, from which one could at least see the river. In the morning the stranger paid for ${s.number} weeks and asked for a pair of oars.`,
  (s) =>
    `The winter was the hardest since the bridge had been built. Bread froze on the table, ink froze in the pen, and the ${s.trade} had burned the last of the good wood when somebody knocked. Outside stood ${s.number} children with a sledge, and on the sledge lay the church organ, or what was left of it, tied with washing line.`,
]
const turns = [
  (s) =>
    `There was not much time to think. ${s.name} took the lantern from its hook, tied it to the long pole that was used for the upper windows, and walked out along the wall, where no sensible person walks at high water. From there the light could be seen as far as the second buoy, and somebody out there was looking for it.`,
  (s) =>
    `So they carried everything upstairs, first the flour, then the books, and then the piano, which took ${s.number} people and a great many bad words. The ${s.animal} watched from the landing with the face of a landlord. When the water came through the gate an hour later, it found an empty floor and a note that asked it to wipe its feet.`,
  (s) =>
    `${s.name} sat down and wrote an answer. It was short, since there is little one can say to the dead that they do not know already, but it mentioned the quinces, the clock and the price of coal. The envelope had no stamp. It was put on the window sill, and in the morning it was gone, and the sill was wet.`,
  (s) =>
    `The oars were made of ash and much too long. Still, the stranger rowed as others walk, without looking, up the river and against the current, past ${s.town} and past the mill, with ${s.name} in the stern holding a map that showed neither. Around midnight the banks moved apart, and the air began to taste of salt.`,
  (s) =>
    `They worked by the light of ${s.number} candles. Pipe after pipe was cleaned, straightened and set upright in the snow, tall ones behind and short ones in front, until the yard looked like a choir waiting for its conductor. Then ${s.name} worked the bellows with both feet, and the ${s.animal}, startled, stepped onto the lowest key.`,
]
const endings = [
  (s) =>
    `Nobody ever found out who had done it, and nobody asked very hard. But since that year there is a second chair beside the lamp in ${s.town}, and on certain evenings, when the wind stands in the west, it is warm when one comes up the stairs. ${s.name} says that it is because of the chimney, and that may be so.`,
  (s) =>
    `Today children learn about it in school, with the dates wrong and the ${s.animal} left out, which is a pity. ${s.name} was invited to tell the story once, brought the notebook along and read aloud the line of that day. It said: rain, towards evening clearing, everybody at home. After that there was cake, and it was very good cake.`,
  (s) =>
    `In spring the ${s.trade} had the door painted blue and put a pot of thyme beside it. Letters still arrive from time to time. They are answered on Sundays, in a clear hand, and placed on the sill. And if you pass the house at night you may hear that somebody laughs in there, quietly, like a person who reads in bed.`,
  (s) =>
    `When they came back it was broad daylight and the whole town stood on the quay. "Well," asked the mayor, "is there a sea or is there not?" ${s.name} emptied one boot over the wall, then the other. In the puddle lay ${s.number} shells, a starfish and a very small, very angry crab, and that settled the question for good.`,
  (s) =>
    `The sound was heard in ${s.number} villages. Some thought of thunder, others of the end of the world, and an old woman in ${s.town} said it was a G, and slightly flat. By the time the snow melted the organ had a roof and the roof had a weathercock. It shows a ${s.animal}, and points, whatever the weather, to the west.`,
]
/** A story of four paragraphs, some 200 words. */
export function storyText(hero = pick(names)) {
  const slots = {
    name: hero,
    animal: pick(animals),
    trade: pick(trades),
    town: pick(towns),
    number: pick(['three', 'four', 'five', 'seven', 'eleven', 'thirteen', 'nineteen', 'thirty']),
  }
  return [beginnings, troubles, turns, endings].map((paragraphs) => pick(paragraphs)(slots)).join('\n\n')
}
export const storyTitle = () =>
  `${pick(['The night of', 'What became of', 'A winter with', 'The letter for', 'Five days near', 'The lamp of'])} ${marker(3)}`

const goods =
  'Oak bookcase|Bicycle for a tall rider|Enamel stove|Accordion with case|Set of brass scales|Garden bench of larch wood|Sewing machine with treadle|Box of railway lamps|Hand-knotted rug|Folding canoe|Typewriter with Danish letters|Writing desk with seven drawers'.split(
    '|',
  )
const origins =
  'It comes from a house that is being cleared|It stood in a dry attic for many years|I bought it at the auction of the old theatre|It belonged to my uncle, who looked after his things|We have no room for it since the baby came|It was used for one season only|It has been in the family for three generations'.split(
    '|',
  )
const states =
  'and has a scratch on the left side that one hardly sees|and everything on it works|and wants a little oil|and was cleaned last week|and still has the label of the maker|and smells faintly of lavender|and weighs about as much as a big dog'.split(
    '|',
  )
const terms =
  'It can be collected on the ground floor at the weekend.|I can bring it as far as the ring road.|Please come with a second person to carry it.|Payment in cash when you fetch it.|I keep it for you until Friday if you write first.|A swap for firewood is possible too.|Photographs on request.'.split(
    '|',
  )
export const adTitle = () => `${pick(goods)}, ${marker(3)}`
export const adText = () =>
  `${pick(origins)} ${pick(states)}. Height ${randomInt(60, 240)} centimetres, width ${randomInt(30, 180)}. ${several(terms, 2).join(' ')}`

const outings =
  'Evening walk|Bread baking day|Concert for two cellos|Bird count|Repair café|Reading by candlelight|Swap of winter clothes|Star party|Small chess tournament|Drawing from nature|Round of board games|Apple pressing'.split(
    '|',
  )
const plans =
  'We meet at the upper lock and take about two hours.|The doors open half an hour before.|There are tools for twelve, so please share.|After the interval there is soup.|Beginners sit next to somebody who knows.|We stop at the old kiln to look at the view.|Whoever likes brings a story about the place.|The second part takes place outside.|We finish with a song.|Every round lasts twenty minutes.'.split(
    '|',
  )
export const eventTitle = () => `${pick(outings)} ${pick(where)} ${marker(3)}`
export const eventText = () => `${several(plans, 3).join(' ')} ${several(asides, 2).join(' ')}`

// ---------------------------------------------------------------------------------------------
// Text of an exact size, for the boundaries. Long ones go on with sentences made at random: a rule may refuse what repeats itself.

const filler =
  'The miller counts his sacks twice and writes the number on the door. In the afternoon the wheel stops because a branch has caught in it, and the apprentice has to climb down. He comes up wet, with the branch and a boot that nobody misses. On Sundays the mill is silent and one hears the water. Swallows nest under the eaves and leave in September. Then the first carts arrive from the hills, with oats, with barley and with news. A carter tells of a village where the bells ring under the snow. The miller does not believe it, but he listens to the end and pours out another glass.'

/** Text of exactly `length` code points. */
export function prose(length) {
  let text = filler
  while (text.length < length)
    text += ` ${pick(who)} ${pick(does)} ${pick(where)} ${pick(when)}. ${pick(names)} the ${pick(trades)} of ${pick(towns)} saw a ${pick(animals)} there.`
  const letters = [...text].slice(0, length)
  if (length > 1) {
    if (letters[length - 2] === ' ') letters[length - 2] = 'e'
    letters[length - 1] = '.'
  }
  return letters.join('')
}

const plainWords = filler
  .replace(/[^A-Za-z ]/g, '')
  .toLowerCase()
  .split(/\s+/)
/** Text of exactly `count` words, in sentences and paragraphs. Plain words only: every way of counting agrees. */
export function words(count) {
  let text = ''
  for (let index = 0; index < count; index++) {
    const word = plainWords[(index * 7 + Math.floor(index / 13)) % plainWords.length]
    const starts = index % 12 === 0
    if (index > 0) text += starts ? (index % 60 === 0 ? '.\n\n' : '. ') : ' '
    text += starts ? word[0].toUpperCase() + word.slice(1) : word
  }
  return `${text}.`
}
