/** What the figures do not say, in plain words. It is published beside them. */
export const doesNotCover = ({ hasJudge }: { hasJudge: boolean }): string[] => [
  'Languages other than English: about one post in ten is in one of 22, so the figures for a single language mean little. The local model judges 19 languages by word lists, and worse than English; all others go to the judge, or to a person.',
  ...(hasJudge
    ? []
    : ['A judge: no large language model was measured. All figures are for rules and local model alone.']),
  'Images, sounds, films and what a link leads to: only text is judged.',
  'Sexual content about minors: never measured, because no example of it is kept. Any sign of it goes to a person.',
  'Traffic: three in ten posts of the set break a rule, and a quarter of the others come close to one. Real posts do so less often.',
  'Rare ways to break a rule: the set is small. A difference within the intervals means nothing.',
  'Agreement: no second labelling was made, so how far people agree about the labels is not known.',
  'Attackers who try again and again: the attacks are fixed, known ones, tried once each.',
  'People: what they decide at the desk is counted on the page of numbers, not here.',
]
