import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { ModelUnavailable } from '../local-model.ts'

export type ToThread<Item> = { items: readonly Item[] }
export type FromThread<Answer> = { isReady: true } | { answers: Answer[] } | { error: string }

export type AskOptions = {
  /** The total work of the items in windows. Default: one window each. */
  windows?: number
  /** A request is dropped if its signal is aborted before its turn. */
  signal?: AbortSignal | undefined
}

export type PoolProgress = {
  /** Windows of finished requests since the start. */
  finished: number
  /** Windows of unfinished requests. */
  waiting: number
}

export type ThreadPool<Item, Answer> = {
  /** Returns one result per item. */
  ask(items: readonly Item[], options?: AskOptions): Promise<Answer[]>
  progress(): PoolProgress
  /** False while no thread is running and none could be started. */
  isWell(): boolean
} & AsyncDisposable

export type PoolOptions = {
  /** A thread that takes longer for a batch than this plus `msPerWindow` per window is terminated. */
  mostMs?: number
  msPerWindow?: number
  /** The pause before a thread that failed to start is started again. */
  pauseMs?: number
  /** Called for every thread that exits or fails to start. */
  onFault?: ((fault: Error) => void) | undefined
}

type Question<Item, Answer> = ToThread<Item> & {
  windows: number
  /** Whether the request was in a batch that failed. It then runs alone and cannot fail other requests. */
  isAlone: boolean
  signal: AbortSignal | undefined
  resolve(answers: Answer[]): void
  reject(error: Error): void
}

/**
 * The maximum number of waiting requests. At thirty posts a second, processing a longer queue would take longer than a
 * worker waits.
 */
const mostWaiting = 1_000

/** The batch size of a thread. The encoder is faster with several items together. */
const mostItems = 8
const mostWindowsInHand = 16

const mostClosingMs = 5_000

/** Together less than a request's timeout, so that a stuck thread is replaced before its requests time out. */
const usualMost = { mostMs: 15_000, msPerWindow: 500 }

/**
 * Threads that process requests in order of arrival, several waiting ones in one batch. A thread that dies or hangs is
 * replaced, and its request is rejected; the client may retry. If no thread is left and none starts, the pool rejects
 * all requests until one does.
 */
export async function openThreadPool<Item, Answer>(
  threads: number,
  start: () => Worker,
  options: PoolOptions = {},
): Promise<ThreadPool<Item, Answer>> {
  const pool = new Pool<Item, Answer>(start, options)
  try {
    await Promise.all(Array.from({ length: threads }, () => pool.addThread()))
  } catch (error) {
    await pool[Symbol.asyncDispose]()
    throw error
  }
  return pool
}

class Pool<Item, Answer> implements ThreadPool<Item, Answer> {
  readonly #start: () => Worker
  readonly #mostMs: number
  readonly #msPerWindow: number
  readonly #pauseMs: number
  readonly #onFault: (fault: Error) => void
  readonly #workers = new Set<Worker>()
  readonly #idle: Worker[] = []
  readonly #held = new Map<Worker, { hand: Question<Item, Answer>[]; timer: NodeJS.Timeout }>()
  readonly #waiting: Question<Item, Answer>[] = []
  readonly #pauses = new Set<NodeJS.Timeout>()
  #finishedWindows = 0
  #fault: Error | null = null
  #isClosed = false

  constructor(start: () => Worker, options: PoolOptions) {
    const { mostMs, msPerWindow, pauseMs = 10_000, onFault = () => {} } = { ...usualMost, ...options }
    this.#start = start
    this.#mostMs = mostMs
    this.#msPerWindow = msPerWindow
    this.#pauseMs = pauseMs
    this.#onFault = onFault
  }

  isWell(): boolean {
    return this.#fault === null
  }

  progress(): PoolProgress {
    const open = [...this.#waiting, ...[...this.#held.values()].flatMap(({ hand }) => hand)]
    return { finished: this.#finishedWindows, waiting: windowsIn(open) }
  }

  ask(items: readonly Item[], { windows = items.length, signal }: AskOptions = {}): Promise<Answer[]> {
    if (this.#fault) return Promise.reject(this.#fault)
    if (this.#waiting.length >= mostWaiting) this.#dropGivenUp()
    if (this.#waiting.length >= mostWaiting)
      return Promise.reject(new ModelUnavailable('Too many requests are waiting for the model.'))
    return new Promise((resolve, reject) => {
      this.#waiting.push({ items, windows, signal, resolve, reject, isAlone: false })
      this.#handOut()
    })
  }

  /** Resolves when the thread is ready; rejects if it exits first. */
  async addThread(): Promise<void> {
    const worker = this.#start()
    this.#workers.add(worker)
    let cause: Error | null = null
    return new Promise((resolve, reject) => {
      let isReady = false
      worker.on('message', (message: FromThread<Answer>) => {
        if ('isReady' in message) {
          isReady = true
          if (!this.#isClosed) this.#fault = null
          resolve()
        } else {
          const hand = this.#takeHeld(worker)
          // The request timed out, and the thread is being terminated.
          if (!hand) return
          if ('answers' in message) {
            this.#finishedWindows += windowsIn(hand)
            resolveEach(hand, message.answers)
          } else this.#giveBack(hand, new Error(message.error))
        }
        this.#idle.push(worker)
        this.#handOut()
      })
      worker.on('error', (error) => {
        cause = error as Error
      })
      worker.on('exit', () => {
        const fault = cause ?? new Error(`A model thread exited${isReady ? '' : ' before it was ready'}.`)
        this.#forget(worker, fault)
        if (!isReady) return reject(fault)
        if (this.#isClosed) return
        this.#onFault(fault)
        this.#replace()
      })
    })
  }

  #handOut(): void {
    if (this.#idle.length > 0) this.#dropGivenUp()
    while (this.#idle.length > 0 && this.#waiting.length > 0) {
      const hand = this.#takeHand(Math.ceil(this.#waiting.length / this.#workers.size))
      const worker = this.#idle.pop() as Worker
      const mostMs = this.#mostMs + this.#msPerWindow * windowsIn(hand)
      this.#held.set(worker, { hand, timer: setTimeout(() => this.#end(worker), mostMs) })
      worker.postMessage({ items: hand.flatMap(({ items }) => items) } satisfies ToThread<Item>)
    }
  }

  /** The first waiting request and the next ones that fit into the batch, without the other threads' share. */
  #takeHand(most: number): Question<Item, Answer>[] {
    const first = this.#waiting.shift() as Question<Item, Answer>
    const hand = [first]
    let [items, windows] = [first.items.length, first.windows]
    for (let next = this.#waiting[0]; next && !first.isAlone && !next.isAlone; next = this.#waiting[0]) {
      items += next.items.length
      windows += next.windows
      if (items > mostItems || windows > mostWindowsInHand || hand.length >= most) break
      hand.push(next)
      this.#waiting.shift()
    }
    return hand
  }

  /**
   * If a batch failed, the request at fault is unknown, so each is retried alone. A request that ran alone is not
   * retried.
   */
  #giveBack(hand: readonly Question<Item, Answer>[], cause: Error): void {
    if (hand.length === 1 || this.#isClosed) for (const { reject } of hand) reject(cause)
    else this.#waiting.unshift(...hand.map((question) => ({ ...question, isAlone: true })))
  }

  #dropGivenUp(): void {
    const all = this.#waiting.splice(0)
    for (const question of all)
      if (question.signal?.aborted) question.reject(new ModelUnavailable('The request was cancelled.'))
      else this.#waiting.push(question)
  }

  #end(worker: Worker): void {
    this.#giveBack(this.#takeHeld(worker) ?? [], new Error('A model thread was stuck.'))
    worker.terminate()
  }

  #takeHeld(worker: Worker): Question<Item, Answer>[] | undefined {
    const held = this.#held.get(worker)
    clearTimeout(held?.timer)
    this.#held.delete(worker)
    return held?.hand
  }

  #forget(worker: Worker, cause: Error): void {
    this.#workers.delete(worker)
    const place = this.#idle.indexOf(worker)
    if (place >= 0) this.#idle.splice(place, 1)
    this.#giveBack(this.#takeHeld(worker) ?? [], cause)
  }

  #replace(): void {
    this.addThread().catch((cause: Error) => {
      if (this.#isClosed) return
      this.#onFault(cause)
      if (this.#workers.size === 0) this.#breakWith(new ModelUnavailable('No model thread could start.', { cause }))
      const pause = setTimeout(() => {
        this.#pauses.delete(pause)
        this.#replace()
      }, this.#pauseMs)
      this.#pauses.add(pause)
    })
  }

  #breakWith(fault: Error): void {
    this.#fault = fault
    for (const question of this.#waiting.splice(0)) question.reject(fault)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    for (const pause of this.#pauses) clearTimeout(pause)
    this.#breakWith(new ModelUnavailable('The model is closed.'))
    await Promise.all([...this.#workers].map((worker) => this.#close(worker)))
  }

  /** A thread that is terminated inside native code takes the process with it, so a busy one ends its batch first. */
  async #close(worker: Worker): Promise<void> {
    const waited = new AbortController()
    const { signal } = waited
    if (!this.#idle.includes(worker) && this.#workers.has(worker))
      await Promise.race([
        once(worker, 'message', { signal }),
        once(worker, 'exit', { signal }),
        sleep(Math.min(this.#mostMs, mostClosingMs), undefined, { signal }),
      ]).catch(() => {})
    waited.abort()
    await worker.terminate()
  }
}

const windowsIn = (questions: readonly { windows: number }[]): number =>
  questions.reduce((sum, { windows }) => sum + windows, 0)

function resolveEach<Item, Answer>(hand: readonly Question<Item, Answer>[], answers: readonly Answer[]): void {
  let next = 0
  for (const { items, resolve } of hand) {
    resolve(answers.slice(next, next + items.length))
    next += items.length
  }
}
