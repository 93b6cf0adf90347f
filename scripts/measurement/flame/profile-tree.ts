import { existsSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A profile as `node --cpu-prof` writes it, with the parts that are read here. */
export type CpuProfile = {
  nodes: { id: number; callFrame: CallFrame; children?: number[] }[]
  samples: number[]
  timeDeltas: number[]
}

type CallFrame = { functionName: string; url: string; lineNumber: number; columnNumber: number }

export type Origin = 'program' | 'package' | 'node' | 'engine'

/** A frame of the flame graph: all calls of one function from the same callers. */
export type Frame = { name: string; origin: Origin; micros: number; children: Map<string, Frame> }

/** What is not work of the process. */
const waiting = new Set(['(idle)'])

/** Adds a profile to a tree. Calls of one function are merged wherever their callers are the same. */
export function addProfile(root: Frame, { nodes, samples, timeDeltas }: CpuProfile, repository: string): void {
  const ownMicros = new Map<number, number>()
  for (const [index, id] of samples.entries())
    ownMicros.set(id, (ownMicros.get(id) ?? 0) + Math.max(0, timeDeltas[index] ?? 0))
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const label = labels(repository)
  const add = (into: Frame, id: number): number => {
    const node = byId.get(id)
    if (!node || waiting.has(node.callFrame.functionName)) return 0
    const { name, origin } = label(node.callFrame)
    const frame = into.children.get(name) ?? { name, origin, micros: 0, children: new Map() }
    const micros = (node.children ?? []).reduce((sum, child) => sum + add(frame, child), ownMicros.get(id) ?? 0)
    if (micros > 0) into.children.set(name, frame)
    frame.micros += micros
    return micros
  }
  const [first] = nodes
  for (const child of first?.children ?? []) root.micros += add(root, child)
}

export const emptyTree = (): Frame => ({ name: 'all', origin: 'engine', micros: 0, children: new Map() })

/** Names frames by function and place, without the folders of the machine. A built file has its source's names. */
function labels(repository: string) {
  const mapOf = sourceMaps()
  return ({ functionName, url, lineNumber, columnNumber }: CallFrame): { name: string; origin: Origin } => {
    const called = functionName || '(anonymous)'
    if (url === '') return { name: called, origin: 'engine' }
    if (!url.startsWith('file:') && !url.startsWith('/')) return { name: `${called} ${url}`, origin: 'node' }
    const file = url.startsWith('file:') ? fileURLToPath(url) : url
    const source = mapOf(file)?.findEntry(lineNumber, columnNumber)
    const original = source && 'originalSource' in source ? source.originalSource : undefined
    const place = placeOf(original ? originalPath(file, original) : file, repository)
    return { name: `${called} ${place.text}`, origin: place.origin }
  }
}

const originalPath = (file: string, original: string) =>
  original.startsWith('file:') ? fileURLToPath(original) : join(file, '..', original)

function placeOf(path: string, repository: string): { text: string; origin: Origin } {
  const [, inPackages] = path.split(/.*\/node_modules\//)
  if (inPackages) return { text: /^(?:@[^/]+\/)?[^/]+/.exec(inPackages)?.[0] ?? '', origin: 'package' }
  const inside = relative(repository, path)
  return { text: inside.startsWith('..') ? (path.split('/').at(-1) ?? '') : inside, origin: 'program' }
}

function sourceMaps() {
  const opened = new Map<string, SourceMap | undefined>()
  return (file: string): SourceMap | undefined => {
    if (!opened.has(file)) {
      const map = `${file}.map`
      opened.set(file, existsSync(map) ? new SourceMap(JSON.parse(readFileSync(map, 'utf8'))) : undefined)
    }
    return opened.get(file)
  }
}
