import { accessFaults } from './access.ts'
import { deliveryFaults } from './deliveries.ts'
import type { Fault } from './fault.ts'
import { moneyFaults } from './money.ts'
import { postFaults } from './posts.ts'

/** When code moves, plant its fault again in the new place. A fault goes only with the feature that it breaks. */
export const faults: readonly Fault[] = [...moneyFaults, ...postFaults, ...accessFaults, ...deliveryFaults]
