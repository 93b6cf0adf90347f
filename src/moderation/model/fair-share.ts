/**
 * How many windows are judged until an account has had `own` of them, its own included. Accounts take turns: each
 * other account is served as much as this one meanwhile, or all that it has.
 */
export function windowsUntil(own: number, account: string, waiting: ReadonlyMap<string, number>): number {
  let sum = own
  for (const [other, windows] of waiting) if (other !== account) sum += Math.min(windows, own)
  return sum
}
