import type { Probe } from './probe.ts'
import { clockProbe, databaseProbe, replicaProbe } from './probes/database.ts'
import { certificateProbe, gatewayProbe } from './probes/gateway.ts'
import { backupProbe, diskProbe, erasuresProbe, patroniProbe } from './probes/machine.ts'
import { cardsProbe, documentsProbe, pagesProbe } from './probes/pages.ts'
import { countersProbe, processesProbe } from './probes/processes.ts'
import { grantsProbe, rolesProbe } from './probes/roles.ts'
import { logProbe, schemaProbe } from './probes/schema.ts'
import { emailProbe, judgeProbe, paymentsProbe } from './probes/services.ts'
import { settingsProbe } from './probes/settings.ts'

/** All probes of `doctor`, in the order of the output. */
export const probes: readonly Probe[] = [
  ...[settingsProbe, databaseProbe, rolesProbe, grantsProbe, schemaProbe, replicaProbe, clockProbe],
  ...[processesProbe, countersProbe, judgeProbe, gatewayProbe, certificateProbe],
  ...[pagesProbe, documentsProbe, cardsProbe, logProbe, emailProbe, paymentsProbe],
  ...[diskProbe, backupProbe, erasuresProbe, patroniProbe],
]
