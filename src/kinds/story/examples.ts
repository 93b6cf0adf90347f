const paragraphs = (...each: string[]) => each.join('\n\n')

export const storyExamples = [
  {
    title: 'The Lighthouse Keeper’s Last Query',
    body: paragraphs(
      'The lighthouse had not needed a keeper for thirty years, but nobody had told the logbook. Every evening at six the machine in the lamp room asked the same question, and every evening it wrote the same answer: weather fair, lamp lit, no ships.',
      'On the night of the great fog it asked again, and something answered that was not the barometer. A fishing boat, small and without a radio, was ringing its bell somewhere to the south. The microphone on the gallery had been put there to listen for gulls. It heard the bell instead.',
      'The machine had no instruction for bells. It had a lamp, a horn that was kept for ceremonies, and a table of tides. It read the table twice. Then it sounded the horn, one long note for each minute that the boat had before the rocks, and between the notes it listened.',
      'The bell moved. It moved west, slowly, then faster, and at last it was only a sound that the sea could have made. At six the next evening the machine asked its question. Weather fair, it wrote. Lamp lit. One ship.',
    ),
    topics: ['fiction', 'the-sea', 'machines'],
  },
  {
    title: 'Bread for the Third Floor',
    body: paragraphs(
      'Señora Amparo baked on Thursdays, and on Thursdays the whole staircase knew who was at home. The student on the first floor came down in socks. The twins from the second came up with a plate that was already buttered. Only the third floor stayed shut, where the new neighbour lived, of whom people knew the name on the bell and nothing else.',
      'In the fourth week she carried a loaf up herself, knocked, and left it on the mat, as one does with a cat that has not decided yet. On Friday the cloth lay folded in front of her own door, washed and ironed. There was no note.',
      'So it went until the winter. Loaf up, cloth down. Then one Thursday her oven failed. She sat in the cold kitchen and heard steps on the stairs, slow ones, with a pause on each landing. Someone knocked.',
      'An old man stood there with a toolbox, flour on his sleeve from her own mat. “I repair ovens,” he said. “I did for forty years. I did not know how to begin a conversation about it.”',
      'They had bread by nine, and by ten the staircase had found out.',
    ),
    topics: ['fiction', 'neighbours'],
  },
] as const
