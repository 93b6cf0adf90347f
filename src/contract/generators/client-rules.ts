import type { Operation } from '../define-operation.ts'

/**
 * The client must not silently repeat a metered call: the first one may have been charged although its response was
 * lost.
 */
export const isSafeToRepeat = ({ safeToRepeat, allowance, method }: Operation): boolean =>
  safeToRepeat ?? (!allowance && (method === 'GET' || method === 'DELETE'))

/** The class of a problem in the clients: insufficient_balance is InsufficientBalanceError. */
export const problemClassName = (code: string): string =>
  `${code.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase()).replace(/Error$/, '')}Error`
