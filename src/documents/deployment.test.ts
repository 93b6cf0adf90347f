import assert from 'node:assert/strict'
import { test } from 'node:test'
import { kinds } from '../kinds/index.ts'
import { readSettings, SettingsError } from '../platform/settings/settings.ts'
import { deploymentFrom, deploymentSettings, documentedSites, exampleDeployment } from './deployment.ts'

const writtenAt = new Date('2027-01-02T03:04:05Z')
const environment = {
  SITES: 'message=https://m.example story=https://s.example',
  ACCOUNT_PAGE_URL: 'https://account.m.example',
}
const deploymentOf = (more: NodeJS.ProcessEnv = {}) =>
  deploymentFrom(readSettings({ ...environment, ...more }, deploymentSettings), writtenAt)

test('a deployment without an operator’s name and contact address uses the host of its owner page', () => {
  const { operatorName, operatorTerms, contactEmail, securityContact, allowances } = deploymentOf()
  assert.deepEqual([operatorName, operatorTerms], ['account.m.example', null])
  assert.equal(contactEmail, 'hello@account.m.example')
  assert.equal(securityContact, 'mailto:hello@account.m.example')
  assert.deepEqual(allowances, {})
})

test('a deployment is read from its settings', () => {
  assert.deepEqual(
    deploymentOf({
      OPERATOR_NAME: 'Merle & Co.',
      OPERATOR_TERMS: 'The law of Iceland applies.',
      CONTACT_EMAIL: 'desk@m.example',
      SECURITY_CONTACT: 'https://m.example/weakness',
      ACCOUNTS_PER_ADDRESS_PER_DAY: '7',
      REVIEW_FEE_RETURN_HOURS: '48',
    }),
    {
      sites: { message: 'https://m.example', story: 'https://s.example' },
      accountPageUrl: 'https://account.m.example',
      allowances: { 'accounts-per-address': 7 },
      feeReturnHours: 48,
      operatorName: 'Merle & Co.',
      operatorTerms: 'The law of Iceland applies.',
      contactEmail: 'desk@m.example',
      securityContact: 'https://m.example/weakness',
      writtenAt,
    },
  )
  assert.equal(deploymentOf({ SECURITY_CONTACT: 'mailto:a@m.example' }).securityContact, 'mailto:a@m.example')
  assert.throws(() => deploymentOf({ SECURITY_CONTACT: 'ftp://m.example' }), SettingsError)
  assert.throws(() => deploymentOf({ OPERATOR_TERMS: '[Pay](javascript:pay)' }), SettingsError)
})

test('a site without an address is omitted from the sites and from the sister sites', () => {
  const sites = documentedSites(deploymentOf())
  assert.deepEqual(
    sites.map(({ slug, sisters }) => [slug, sisters.map((sister) => sister.slug)]),
    [
      ['messages', ['stories']],
      ['stories', ['messages']],
    ],
  )
  assert.equal(documentedSites(exampleDeployment).length, kinds.length)
})
