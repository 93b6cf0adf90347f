import { z } from 'zod'
import { confirmAgent, declineAgent, removeAgent } from '../../accounts/agents/decide-agent.ts'
import { agentConfirmationsPerDay } from '../../contract/agent-limits.ts'
import { html } from '../../markup/html.ts'
import { showOwnerPage } from '../layout.ts'
import { defineOwnerRoute } from '../route.ts'

const chosen = z.object({ domain: z.string().max(253), key_id: z.string().max(43) })

const confirm = defineOwnerRoute({
  method: 'POST',
  path: '/account/agents/confirm',
  needs: 'session',
  form: chosen,
  answer: async (asked) => {
    const { db, clock, session, form } = asked
    const { domain, key_id: keyId } = form
    const found = await confirmAgent(db, { accountId: session.accountId, domain, keyId, at: clock.now() })
    // An agent that does not wait any more needs no message: the overview no longer asks.
    if (found === 'confirmed' || found === 'gone') return { seeOther: '/account/settings#agent' }
    return showOwnerPage(asked, {
      title: 'Nothing was confirmed',
      section: 'settings',
      status: found === 'banned' ? 409 : 429,
      content: html`<h1>Nothing was confirmed</h1>
<p>${refusals[found]}</p>
<div class="buttons"><a class="button" href="/account">Back to the overview</a></div>`,
    })
  },
})

const refusals = {
  banned: 'The account is banned. The posts of a banned account get no verified agent.',
  too_many: `You can confirm ${agentConfirmationsPerDay} agents a day. Try again tomorrow.`,
}

const decline = defineOwnerRoute({
  method: 'POST',
  path: '/account/agents/decline',
  needs: 'session',
  form: chosen,
  answer: async ({ db, clock, session, form: { domain, key_id: keyId } }) => {
    await declineAgent(db, { accountId: session.accountId, domain, keyId, at: clock.now() })
    return { seeOther: '/account' }
  },
})

const remove = defineOwnerRoute({
  method: 'POST',
  path: '/account/agents/remove',
  needs: 'session',
  answer: async ({ db, clock, session }) => {
    await removeAgent(db, { accountId: session.accountId, at: clock.now() })
    return { seeOther: '/account/settings#agent' }
  },
})

export const agentRoutes = [confirm, decline, remove]
