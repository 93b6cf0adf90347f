import { listAt, type Schema } from '../contract.ts'
import type { Compare, Comparison, Direction } from './comparison.ts'

type Parameter = { name: string; by: 'position' | 'name' | 'both' | 'rest'; optional?: boolean; schema: Schema }
type Signature = { parameters: Parameter[]; returns: Schema; generics?: string }

/**
 * Reports what callers of a function of a client notice. Overloads are compared in their order: a new one comes last.
 * What goes into a function that callers pass themselves comes out of the client.
 */
export function compareFunctions(
  compare: Compare,
  comparison: Comparison,
  before: Schema,
  after: Schema,
  direction: Direction,
  place: string,
): void {
  const [was, is] = [listAt(before, 'signatures') as Signature[], listAt(after, 'signatures') as Signature[]]
  for (const [index, signature] of was.entries()) {
    const at = was.length > 1 ? `${place} (overload ${index + 1})` : place
    const now = is[index]
    if (now) compareSignatures(compare, comparison, signature, now, direction, at)
    else comparison.report(at, 'removed', true, 'Calls in this form fail.')
  }
  if (is.length > was.length) comparison.report(place, 'overload added', false, 'It can also be called in another way.')
}

function compareSignatures(
  compare: Compare,
  comparison: Comparison,
  before: Signature,
  after: Signature,
  direction: Direction,
  place: string,
): void {
  const { report } = comparison
  const sent = direction === 'out' ? 'in' : 'out'
  const pairs = pairsOf(before.parameters, after.parameters)
  for (const [index, was] of before.parameters.entries()) {
    const at = `${place}(${was.name})`
    const is = pairs.get(was)
    if (!is) {
      report(at, 'removed', true, 'Code that passes it fails.')
      continue
    }
    const position = after.parameters.indexOf(is)
    if (was.by !== 'name' && position !== index)
      report(at, `position ${index + 1} → ${position + 1}`, true, 'Code that passes it there passes something else.')
    const isMovedAway = was.by !== is.by && is.by !== 'both'
    if (isMovedAway) report(at, `passed by ${was.by} → by ${is.by}`, true, 'Code that passes it in the old way fails.')
    if (!is.optional && was.optional) report(at, 'now required', true, 'Code that omits it fails.')
    if (is.optional && !was.optional) report(at, 'no longer required', false, 'Code can omit it.')
    compare(comparison, was.schema, is.schema, sent, at)
  }
  const known = new Set(pairs.values())
  for (const is of after.parameters) {
    if (known.has(is)) continue
    const needed = !is.optional
    const notice = needed ? 'Code that omits it fails.' : 'Code can pass it.'
    report(`${place}(${is.name})`, needed ? 'added, required' : 'added', needed, notice)
  }
  if (before.generics !== after.generics)
    report(
      place,
      `type parameters ${before.generics ?? 'none'} → ${after.generics ?? 'none'}`,
      true,
      'Code that names them fails.',
    )
  compare(comparison, before.returns, after.returns, direction, `${place}()`)
}

/** The new form of each parameter: the one of its name, or at its position if callers cannot use the name. */
function pairsOf(before: Parameter[], after: Parameter[]): Map<Parameter, Parameter> {
  const pairs = new Map<Parameter, Parameter>()
  for (const was of before) {
    const is = after.find(({ name }) => name === was.name)
    if (is) pairs.set(was, is)
  }
  const taken = new Set(pairs.values())
  for (const [index, was] of before.entries()) {
    const is = after[index]
    if (!pairs.has(was) && is && was.by === is.by && (was.by === 'position' || was.by === 'rest') && !taken.has(is))
      pairs.set(was, is)
  }
  return pairs
}
