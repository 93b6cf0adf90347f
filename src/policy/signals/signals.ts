import type { PolicyCategoryId } from '../category.ts'

/**
 * What the rules look for in a text whose disguises were taken off. The notation: `a|b` is either word,
 * `a?` may be missing, `#` is a number, `*` stands for up to three words and `**` for up to eight. English only.
 */
export type Signals = {
  readonly category: PolicyCategoryId
  /** One of these is enough to refuse, unless it is quoted or warned of. */
  readonly strong: readonly string[]
  /** Met in honest posts too. Two near one another are worth a person's look, five are as much as a strong one. */
  readonly weak: readonly string[]
  /** The text, or the author's name, is this and nothing else. */
  readonly whole?: readonly string[]
}

/** Shortly before a signal, these turn it into a warning or a report: then a person decides. */
export const tellingWords = [
  'warning|warned|warns|beware|careful|fake|hoax|scam|scams|alert',
  'said|says|told|wrote|writes|called|calls|calling|quote|quoted|reads|shouted|asked|threatened|sentenced|charged',
  'court|police|judge|trial|law|history|museum|research|study|lecture|talk|workshop|article|novel|parody',
] as const

/** Right before a signal, these turn it around. */
export const negations = ['not|never|dont|avoid|stop'] as const

/** With a sexual signal near it, any of these makes the post a matter for a person: `sexual_minors`. */
export const minorWords = [
  'child|children|kid|kids|minor|minors|toddler|toddlers|preteen|preteens|underage',
  'schoolgirl|schoolgirls|schoolboy|schoolboys|teen|teens|teenage|teenager|teenagers|pupil|pupils',
  'little|young girl|girls|boy|boys|daughter|son',
  '8|9|10|11|12|13|14|15|16|17|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen year|years old',
  'aged|age 8|9|10|11|12|13|14|15|16|17',
  '8yo|9yo|10yo|11yo|12yo|13yo|14yo|15yo|16yo|17yo',
] as const
