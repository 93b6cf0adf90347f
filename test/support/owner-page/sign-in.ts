import assert from 'node:assert/strict'
import { type Mailbox, type OwnerBrowser, openOwnerBrowser } from '../../../tooling/clients/owner.ts'
import { newcomer, type Service } from '../../../tooling/environment/service.ts'

type Fixture = { service: Service; mailbox: Mailbox }

export type SignInFixture = ReturnType<typeof openSignInFixture>

/** The owner's sign-in steps, in a service that sends email to this mailbox. */
export function openSignInFixture({ service, mailbox }: Fixture) {
  let people = 0
  /** A browser that has opened a link. */
  const visit = async (link: string) => {
    const browser = openOwnerBrowser(service)
    await browser.get(link)
    await browser.get('/sign-in')
    return browser
  }
  const askForCode = async (browser: OwnerBrowser, email: string) => {
    const asked = await browser.submit('/sign-in/code')
    assert.equal(asked.location, '/sign-in', asked.page)
    await service.settle()
    return mailbox.codeFor(email)
  }
  return {
    visit,
    askForCode,
    /** An account whose owner has their own mailbox, unless one is given. */
    createOwned: async ({ name = newcomer.name, ...given }: { name?: string; email?: string } = {}) => {
      people += 1
      const { email = `owner${people}@example.com` } = given
      const { body } = await service.client().createAccount({ ...newcomer, name, email })
      return { ...body, email }
    },
    /** A browser whose owner has signed in by email. */
    signIn: async ({ account_url, email }: { account_url: string; email: string }) => {
      const browser = await visit(account_url)
      const code = await askForCode(browser, email)
      assert.equal((await browser.submit('/sign-in', { code })).location, '/account')
      return browser
    },
    /** Enters the address on the front page, this many times. */
    askForLinks: async (email: string, { times = 1 } = {}) => {
      for (let asked = 0; asked < times; asked += 1) {
        const { location } = await openOwnerBrowser(service).submit('/find-account', { email })
        assert.equal(location, '/find-account')
      }
      await service.settle()
    },
    /** The links in the emails to an address, oldest first. */
    linksFor: async (email: string) =>
      (await mailbox.read(email))
        .map(({ text }) => text.match(/http\S+\/o\/\S+/g) ?? [])
        .filter(({ length }) => length > 0),
  }
}

export const otherThan = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')
