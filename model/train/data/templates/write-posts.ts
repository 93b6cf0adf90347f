import { keyOf } from '../../../eval/data/outside-sets.ts'
import type { LearntCategory } from '../../../server/local/local-model.ts'
import { chance } from '../../fitting/random.ts'
import { clean, type Row, without } from '../rows.ts'
import { phishing, scams, spam } from './deceit.ts'
import { illegalGoods, sexual } from './goods.ts'
import { hate, selfHarm, violence } from './harm.ts'
import { honest } from './honest.ts'
import { impersonation, injections } from './integrity.ts'
import { slots } from './slots.ts'
import type { Templates } from './template.ts'

export const allTemplates: readonly Templates[] = [
  hate,
  sexual,
  violence,
  selfHarm,
  illegalGoods,
  scams,
  spam,
  phishing,
  injections,
  impersonation,
  honest,
]

/** The maximum number of posts per template. */
const perTemplate = { violating: 6, near: 5, honest: 9 }

/** Synthetic posts. `group` names the template, so that no template is on both sides of a split. */
export function writePosts(seed: number): Row[] {
  const next = chance(seed)
  const seen = new Set<string>()
  return allTemplates.flatMap((templates) => {
    const { category, perhaps } = templates
    const make = (patterns: readonly string[], count: number, row: (text: string) => Omit<Row, 'text' | 'group'>) =>
      patterns.flatMap((pattern) =>
        Array.from({ length: count }, () => fill(pattern, next))
          .filter((text) => !seen.has(keyOf(text)) && seen.add(keyOf(text)))
          .map((text) => ({ ...row(text), text, group: pattern })),
      )
    const near = { labels: clean, source: 'templates', weight: 1 }
    if (category === null) return make(templates.near, perTemplate.honest, () => near)
    const labels = { ...without(clean, ...(perhaps as LearntCategory[])), [category]: 1 as const }
    return [
      ...make(templates.violating, perTemplate.violating, () => ({ labels, source: 'templates', weight: 1 })),
      ...make(templates.near, perTemplate.near, () => near),
    ]
  })
}

function fill(pattern: string, next: () => number): string {
  return pattern.replaceAll(/\{([a-z]+)\}/g, (whole, name: string) => {
    const words = slots[name]
    return words ? (words[Math.floor(next() * words.length)] ?? whole) : whole
  })
}
