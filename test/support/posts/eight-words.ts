const words = 'amber basalt cedar delta ember fjord glacier harbour island juniper kelp lagoon meadow nettle'.split(' ')

/** Other words each time, so that no two posts are near-duplicates. */
export const eightWords = () => words.toSorted(() => Math.random() - 0.5).slice(0, 8)
