import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { parse } from 'yaml'
import { repoDir } from '../../../tooling/services/state.ts'

type Condition = 'service_started' | 'service_healthy' | 'service_completed_successfully'

/** One service of deploy/compose.yaml, as far as the drill carries it out. */
export type Service = {
  name: string
  image: string
  command: string[]
  entrypoint: string[] | undefined
  environment: Record<string, string>
  /** Names of secrets; each is the file /run/secrets/NAME. */
  secrets: string[]
  volumes: { source: string; target: string; isReadOnly: boolean }[]
  tmpfs: string[]
  isReadOnly: boolean
  dropsCapabilities: boolean
  hasNoNewPrivileges: boolean
  /** By network: the fixed address, if it has one. */
  networks: Record<string, string | undefined>
  dependsOn: Record<string, Condition>
  health: string[] | undefined
  profiles: string[]
  /** Docker starts it again after a failure and after a reboot; a job runs once. */
  restarts: boolean
  stopSignal: NodeJS.Signals
  /** How long Docker waits after the signal before it kills the container. */
  graceSeconds: number
}

export type Composition = { services: Map<string, Service>; networks: Map<string, { subnet: string | undefined }> }

type Raw = Record<string, unknown>

/** Reads deploy/compose.yaml. `environmentFile` replaces deploy/compose.env, which only a deployment has. */
export function readComposition(environmentFile: string): Composition {
  const text = readFileSync(join(repoDir, 'deploy/compose.yaml'), 'utf8')
  const file = parse(text, { merge: true }) as { services: Record<string, Raw>; networks: Record<string, Raw> }
  const shared = parseEnv(readFileSync(environmentFile, 'utf8')) as Record<string, string>
  const services = Object.entries(file.services).map(([name, raw]) => [name, readService(name, raw, shared)] as const)
  const networks = Object.entries(file.networks).map(([name, raw]) => {
    const { config } = (raw?.['ipam'] ?? {}) as { config?: { subnet: string }[] }
    return [name, { subnet: config?.[0]?.subnet }] as const
  })
  return { services: new Map(services), networks: new Map(networks) }
}

function readService(name: string, raw: Raw, shared: Record<string, string>): Service {
  const environment = (raw['environment'] ?? {}) as Record<string, unknown>
  const health = raw['healthcheck'] as { test?: string[]; disable?: boolean } | undefined
  return {
    name,
    image: String(raw['image']),
    command: (raw['command'] ?? []) as string[],
    entrypoint: raw['entrypoint'] as string[] | undefined,
    environment: {
      ...(raw['env_file'] ? shared : {}),
      ...Object.fromEntries(Object.entries(environment).map(([key, value]) => [key, String(value)])),
    },
    secrets: (raw['secrets'] ?? []) as string[],
    volumes: ((raw['volumes'] ?? []) as string[]).map(readVolume),
    tmpfs: (raw['tmpfs'] ?? []) as string[],
    isReadOnly: raw['read_only'] === true,
    dropsCapabilities: ((raw['cap_drop'] ?? []) as string[]).includes('ALL'),
    hasNoNewPrivileges: ((raw['security_opt'] ?? []) as string[]).includes('no-new-privileges'),
    networks: readNetworks(raw['networks']),
    dependsOn: Object.fromEntries(
      Object.entries((raw['depends_on'] ?? {}) as Record<string, { condition: Condition }>).map(([other, on]) => [
        other,
        on.condition,
      ]),
    ),
    health: health?.disable ? undefined : health?.test?.slice(1),
    profiles: (raw['profiles'] ?? []) as string[],
    restarts: raw['restart'] === 'unless-stopped',
    stopSignal: (raw['stop_signal'] ?? 'SIGTERM') as NodeJS.Signals,
    graceSeconds: Number.parseInt(String(raw['stop_grace_period'] ?? '10s'), 10),
  }
}

function readVolume(text: string) {
  const [source = '', target = '', mode] = text.split(':')
  return { source, target, isReadOnly: mode === 'ro' }
}

function readNetworks(raw: unknown): Record<string, string | undefined> {
  if (Array.isArray(raw)) return Object.fromEntries(raw.map((name) => [name, undefined]))
  const entries = Object.entries((raw ?? {}) as Record<string, { ipv4_address?: string } | null>)
  return Object.fromEntries(entries.map(([name, options]) => [name, options?.ipv4_address]))
}

/** The services in an order in which each comes after those that it depends on. */
export function inStartOrder(services: ReadonlyMap<string, Service>): Service[] {
  const ordered = new Set<Service>()
  const visit = (service: Service) => {
    for (const name of Object.keys(service.dependsOn)) {
      const other = services.get(name)
      if (other && !ordered.has(other)) visit(other)
    }
    ordered.add(service)
  }
  for (const service of services.values()) if (service.profiles.length === 0) visit(service)
  return [...ordered]
}

/** Where a volume of the composition is on this machine. */
export const volumePath = (folder: string, source: string) =>
  source.startsWith('.') ? resolve(folder, source) : join(folder, 'volumes', source)
