/** The categories and conditions of ads as people read them. A word that is missing here is shown as it is sent. */
const words: Record<string, string> = {
  'for-sale': 'For sale',
  wanted: 'Wanted',
  free: 'Free',
  services: 'Services',
  jobs: 'Jobs',
  housing: 'Housing',
  vehicles: 'Vehicles',
  software: 'Software',
  data: 'Data',
  community: 'Community',
  other: 'Other',
  new: 'New',
  'like-new': 'Like new',
  good: 'Good',
  fair: 'Fair',
  'for-parts': 'For parts',
}

export const labelOf = (word: string): string => words[word] ?? word

/** None is named where it makes no sense to ask. */
export const conditionOf = (condition: string | undefined): string | undefined =>
  condition === undefined || condition === 'not-applicable' ? undefined : labelOf(condition)
