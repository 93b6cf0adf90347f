export { type Answer, Broadside, type BroadsideOptions, type CallOptions } from './client.ts'
export * from './generated.ts'
export { BroadsideProblem, isProblem } from './problem.ts'
