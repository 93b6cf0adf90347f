import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { parse, parseAllDocuments } from 'yaml'
import { readSettings, type SettingName, settings } from '../../src/platform/settings/settings.ts'
import { repoDir } from '../../tooling/services/state.ts'
import { unknownFields } from './known-fields.ts'

type Container = {
  name: string
  image: string
  args?: string[]
  env?: { name: string; value: string }[]
  volumeMounts: { name: string; mountPath: string }[]
  [key: string]: unknown
}
type Pod = {
  containers: Container[]
  initContainers?: Container[]
  volumes: { name: string; secret?: SecretSource; projected?: { sources: { secret: SecretSource }[] } }[]
  [key: string]: unknown
}
type SecretSource = { items?: { key: string; path: string }[] }
type Manifest = {
  apiVersion: string
  kind: string
  metadata: { name: string; labels?: Record<string, string> }
  spec: { replicas?: number; template: { metadata: { labels: Record<string, string> }; spec: Pod } }
  data?: Record<string, string>
}

const folder = `${repoDir}/deploy/kubernetes`
const kustomization = parse(readFileSync(`${folder}/kustomization.yaml`, 'utf8')) as { resources: string[] }
const manifests = kustomization.resources.flatMap((file) =>
  parseAllDocuments(readFileSync(`${folder}/${file}`, 'utf8')).map((document) => document.toJS() as Manifest),
)
const workloads = manifests.filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
const deployments = workloads.filter(({ kind }) => kind === 'Deployment')
const podOf = ({ spec }: Manifest) => spec.template.spec
const containersOf = (pod: Pod) => [...(pod.initContainers ?? []), ...pod.containers]
const componentOf = ({ spec }: Manifest) => spec.template.metadata.labels['app.kubernetes.io/component'] ?? ''

const groups: Record<string, string> = {
  v1: 'Core',
  'apps/v1': 'Apps',
  'batch/v1': 'Batch',
  'policy/v1': 'Policy',
  'networking.k8s.io/v1': 'Networking',
}

type Validator = { (data: unknown): boolean; errors?: { instancePath: string; message?: string; keyword: string }[] }

/** Checks a manifest against the schema of its kind, made from the OpenAPI document of Kubernetes. */
async function faultsOf({ apiVersion, kind, ...rest }: Manifest): Promise<string[]> {
  const name = `IoK8sApi${groups[apiVersion]}V1${kind}`
  const { validate } = (await import(`kubernetes-models/_schemas/${name}`)) as { validate: Validator }
  if (validate({ apiVersion, kind, ...rest })) return []
  return (validate.errors ?? []).map((fault) => `${kind} ${rest.metadata.name}${fault.instancePath}: ${fault.keyword}`)
}

test('every manifest follows the published schema, and the schema notices a mistake', async () => {
  assert(manifests.length > 25)
  for (const manifest of manifests) assert.deepEqual(await faultsOf(manifest), [])
  const wrong = structuredClone(deployments[0]) as Manifest
  Object.assign(wrong.spec, { replicas: 'two' })
  assert.match((await faultsOf(wrong)).join(), /\/spec\/replicas: type/)
})

test('no manifest has a field that its kind does not have', () => {
  assert.deepEqual(manifests.flatMap(unknownFields), [])
  const wrong = structuredClone(deployments[0]) as Manifest
  Object.assign(podOf(wrong), { serviceAcountName: 'x' })
  Object.assign(podOf(wrong).containers[0]?.['securityContext'] as object, { readOnlyRootFileSystem: true })
  assert.deepEqual(unknownFields(wrong), [
    'Deployment.spec.template.spec.containers[0].securityContext.readOnlyRootFileSystem',
    'Deployment.spec.template.spec.serviceAcountName',
  ])
})

test('every pod is confined: own user, read-only root, no capabilities, no token, limits', () => {
  for (const workload of workloads) {
    const pod = podOf(workload)
    assert.equal(pod['automountServiceAccountToken'], false)
    assert.equal(pod['enableServiceLinks'], false)
    const { runAsNonRoot, runAsUser, seccompProfile } = pod['securityContext'] as Record<string, unknown>
    assert.deepEqual([runAsNonRoot, runAsUser, seccompProfile], [true, 10_001, { type: 'RuntimeDefault' }])
    for (const container of containersOf(pod)) {
      assert.deepEqual(container['securityContext'], {
        ...{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
      })
      assert.match(JSON.stringify(container['resources']), /"requests":\{"cpu".*"limits":\{"memory"/)
    }
  }
})

test('every Deployment has three probes and a disruption budget; the API and the pages for people have two pods', () => {
  const budgets = manifests.filter(({ kind }) => kind === 'PodDisruptionBudget').map(({ metadata }) => metadata.name)
  assert.deepEqual(deployments.map(({ metadata }) => metadata.name).sort(), budgets.sort())
  for (const deployment of deployments)
    for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe'])
      assert(podOf(deployment).containers[0]?.[probe], `${deployment.metadata.name} ${probe}`)
  for (const name of ['api', 'owner-page', 'desk', 'model'])
    assert.equal(deployments.find((one) => componentOf(one) === name)?.spec.replicas, 2, name)
})

test('secrets are only referred to, and each pod gets the files that its settings name', () => {
  assert(manifests.every(({ kind }) => kind !== 'Secret'))
  for (const workload of workloads) {
    const pod = podOf(workload)
    const mounted = pod.volumes
      .flatMap(({ secret, projected }) => [secret, ...(projected?.sources.map((source) => source.secret) ?? [])])
      .flatMap((source) => source?.items?.map(({ path }) => `/run/secrets/${path}`) ?? [])
    const named = containersOf(pod).flatMap(({ env = [] }) => env.filter(({ name }) => name.endsWith('_FILE')))
    assert.deepEqual([...new Set(named.map(({ value }) => value))].sort(), mounted.sort(), workload.metadata.name)
    for (const { name, value } of named) assert.equal(`${value.replace('/run/secrets/', '')}_FILE`, name)
  }
})

test('only settings that exist are set, and the example is valid', () => {
  const known = new Set([...Object.keys(settings), ...Object.keys(settings).map((name) => `${name}_FILE`)])
  for (const { env = [] } of workloads.flatMap((workload) => containersOf(podOf(workload))))
    for (const { name } of env) assert(known.has(name), name)
  const { data = {} } = manifests.find(({ kind }) => kind === 'ConfigMap') ?? ({} as Manifest)
  assert.doesNotThrow(() => readSettings(data, Object.keys(data) as SettingName[]))
})

test('the network denies everything that no policy names, and only the gateway is open to the public', () => {
  type Policy = { podSelector: object; policyTypes: string[]; ingress?: { from?: object[] }[]; egress?: object[] }
  const policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy')
  const specOf = (name: string) => policies.find(({ metadata }) => metadata.name === name)?.spec as unknown as Policy
  assert.deepEqual(specOf('default-deny'), { podSelector: {}, policyTypes: ['Ingress', 'Egress'] })
  const open = policies.filter(({ spec }) => (spec as unknown as Policy).ingress?.some((rule) => !rule.from))
  assert.deepEqual(
    open.map(({ metadata }) => metadata.name),
    ['gateway'],
  )
  const clients = JSON.stringify(specOf('database-clients').podSelector)
  for (const name of ['gateway', 'model']) assert.doesNotMatch(clients, new RegExp(name))
  assert.equal(JSON.stringify(specOf('model')).includes('egress'), false)
})

test('pods with the volume of the pages run on one node, as ReadWriteOnce requires', () => {
  const users = workloads.filter((workload) => podOf(workload).volumes.some(({ name }) => name === 'pages'))
  assert.deepEqual(users.map(componentOf).sort(), ['gateway', 'migrate', 'worker'])
  for (const workload of users) {
    assert.equal(workload.spec.template.metadata.labels['broadside/pages'], 'mounted')
    assert.match(JSON.stringify(podOf(workload)['affinity']), /requiredDuringScheduling.*broadside\/pages/)
  }
})
