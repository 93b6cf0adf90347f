import type { Worker } from 'node:worker_threads'
import { type LocalAnswer, ModelUnavailable } from './local-model.ts'

export type ToThread = { texts: readonly string[] }
export type FromThread = { isReady: true } | { answers: LocalAnswer[] } | { error: string }

export type ThreadPool = {
  /** A question whose signal is aborted before its turn is dropped. */
  ask(texts: readonly string[], signal?: AbortSignal): Promise<LocalAnswer[]>
  /** False while no thread is left and none could be started. */
  isWell(): boolean
} & AsyncDisposable

export type PoolOptions = {
  /** A thread that holds what it was given longer is ended. */
  mostMs?: number
  /** Before a thread that did not start is tried again. */
  pauseMs?: number
  /** Told of every thread that ended or did not start. */
  onFault?: ((fault: Error) => void) | undefined
}

type Question = ToThread & {
  /** It was in a hand that failed: it goes by itself, so that it can fail for no other. */
  isAlone: boolean
  signal: AbortSignal | undefined
  resolve(answers: LocalAnswer[]): void
  reject(error: Error): void
}

/** Questions that may wait. At thirty posts a second this is more than a worker's patience. */
const mostWaiting = 1_000

/** Texts of the questions that a thread is given in one hand: the encoder takes less time over them together. */
const mostTexts = 8

/**
 * Threads that answer questions in the order they came, several of those that wait in one hand. One that dies or is stuck
 * is replaced, and the question it held is rejected once; whoever asked may ask again. When none is left and none starts, the pool says so to all until one does.
 */
export async function openThreadPool(
  threads: number,
  start: () => Worker,
  options: PoolOptions = {},
): Promise<ThreadPool> {
  const pool = new Pool(start, options)
  try {
    await Promise.all(Array.from({ length: threads }, () => pool.addThread()))
  } catch (error) {
    await pool[Symbol.asyncDispose]()
    throw error
  }
  return pool
}

class Pool implements ThreadPool {
  readonly #start: () => Worker
  readonly #mostMs: number
  readonly #pauseMs: number
  readonly #onFault: (fault: Error) => void
  readonly #workers = new Set<Worker>()
  readonly #idle: Worker[] = []
  readonly #held = new Map<Worker, { hand: Question[]; timer: NodeJS.Timeout }>()
  readonly #waiting: Question[] = []
  readonly #pauses = new Set<NodeJS.Timeout>()
  #fault: Error | null = null
  #isClosed = false

  constructor(start: () => Worker, { mostMs = 60_000, pauseMs = 10_000, onFault = () => {} }: PoolOptions) {
    this.#start = start
    this.#mostMs = mostMs
    this.#pauseMs = pauseMs
    this.#onFault = onFault
  }

  isWell(): boolean {
    return this.#fault === null
  }

  ask(texts: readonly string[], signal?: AbortSignal): Promise<LocalAnswer[]> {
    if (this.#fault) return Promise.reject(this.#fault)
    if (this.#waiting.length >= mostWaiting) this.#dropGivenUp()
    if (this.#waiting.length >= mostWaiting)
      return Promise.reject(new ModelUnavailable('Too many questions wait for the model.'))
    return new Promise((resolve, reject) => {
      this.#waiting.push({ texts, signal, resolve, reject, isAlone: false })
      this.#handOut()
    })
  }

  /** Resolves when the thread is ready; rejects when it ends before. */
  async addThread(): Promise<void> {
    const worker = this.#start()
    this.#workers.add(worker)
    let cause: Error | null = null
    return new Promise((resolve, reject) => {
      let isReady = false
      worker.on('message', (message: FromThread) => {
        if ('isReady' in message) {
          isReady = true
          if (!this.#isClosed) this.#fault = null
          resolve()
        } else {
          const hand = this.#takeHeld(worker)
          // Its time was over: the thread is being ended.
          if (!hand) return
          if ('answers' in message) resolveEach(hand, message.answers)
          else this.#giveBack(hand, new Error(message.error))
        }
        this.#idle.push(worker)
        this.#handOut()
      })
      worker.on('error', (error) => {
        cause = error as Error
      })
      worker.on('exit', () => {
        const fault = cause ?? new Error(`A thread of the model ended${isReady ? '' : ' before it was ready'}.`)
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
      this.#held.set(worker, { hand, timer: setTimeout(() => this.#end(worker), this.#mostMs) })
      worker.postMessage({ texts: hand.flatMap(({ texts }) => texts) } satisfies ToThread)
    }
  }

  /** The first that waits, and of those behind it as many as go with it, without the other threads' share. */
  #takeHand(most: number): Question[] {
    const hand = [this.#waiting.shift() as Question]
    let texts = hand[0]?.texts.length ?? 0
    for (let next = this.#waiting[0]; next && !hand[0]?.isAlone && !next.isAlone; next = this.#waiting[0]) {
      texts += next.texts.length
      if (texts > mostTexts || hand.length >= most) break
      hand.push(next)
      this.#waiting.shift()
    }
    return hand
  }

  /** Of several nobody knows which one it was: each gets another turn, alone. One that was alone is not given to another thread. */
  #giveBack(hand: readonly Question[], cause: Error): void {
    if (hand.length === 1 || this.#isClosed) for (const { reject } of hand) reject(cause)
    else this.#waiting.unshift(...hand.map((question) => ({ ...question, isAlone: true })))
  }

  #dropGivenUp(): void {
    const all = this.#waiting.splice(0)
    for (const question of all)
      if (question.signal?.aborted) question.reject(new ModelUnavailable('The question was given up.'))
      else this.#waiting.push(question)
  }

  #end(worker: Worker): void {
    this.#giveBack(this.#takeHeld(worker) ?? [], new Error('A thread of the model was stuck.'))
    worker.terminate()
  }

  #takeHeld(worker: Worker): Question[] | undefined {
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
      if (this.#workers.size === 0) this.#breakWith(new ModelUnavailable('No thread of the model starts.', { cause }))
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
    await Promise.all([...this.#workers].map((worker) => worker.terminate()))
  }
}

function resolveEach(hand: readonly Question[], answers: readonly LocalAnswer[]): void {
  let next = 0
  for (const { texts, resolve } of hand) {
    resolve(answers.slice(next, next + texts.length))
    next += texts.length
  }
}
