import { z } from 'zod'
import { claimCase, claimNext, freeClaim, renewClaim, skipCase } from '../../cases/claim.ts'
import { decideCase, undoDecision } from '../../cases/decide.ts'
import { html } from '../../markup/html.ts'
import { defineDeskRoute, type Shown, type StaffRequest } from '../route.ts'
import { caseUrl, chosenKind, readKey } from './address.ts'
import { showCase } from './case-page.ts'
import { type Refusal, showCaseRefusal, showRefusal } from './notes.ts'

const next = defineDeskRoute({
  method: 'POST',
  path: '/next',
  needs: 'reviewer',
  answer: (asked) => goOn(asked),
})

const view = defineDeskRoute({
  method: 'GET',
  path: '/cases/:key',
  needs: 'reviewer',
  answer: (asked) => onCase(asked, ({ key }) => showCase(asked, key)),
})

const claim = defineDeskRoute({
  method: 'POST',
  path: '/cases/:key/claim',
  needs: 'reviewer',
  answer: (asked) =>
    onCase(asked, async (held) => {
      const claimed = await claimCase(asked.db, held)
      return claimed === 'claimed' ? backTo(asked, held.key) : showCaseRefusal(asked, held.key, claimed)
    }),
})

/** Called by the case page's script; only the status code matters. */
const renew = defineDeskRoute({
  method: 'POST',
  path: '/cases/:key/renew',
  needs: 'reviewer',
  answer: (asked) =>
    onCase(asked, async (held) =>
      (await renewClaim(asked.db, held)) ? { page: html`<p>Yours.</p>` } : showRefusal(asked, 'taken'),
    ),
})

const skip = defineDeskRoute({
  method: 'POST',
  path: '/cases/:key/skip',
  needs: 'reviewer',
  answer: (asked) =>
    onCase(asked, async (held) => {
      await skipCase(asked.db, held)
      return goOn(asked)
    }),
})

const decide = defineDeskRoute({
  method: 'POST',
  path: '/cases/:key/decide',
  needs: 'reviewer',
  form: z.object({
    verdict: z.string().max(40),
    category: z.string().max(40).optional(),
    seen: z.string().max(60).default(''),
    kind: z.string().optional(),
  }),
  answer: (asked) =>
    onCase(asked, async (held) => {
      const { verdict, category = null, seen } = asked.form
      const { outcome } = await decideCase(asked.db, { ...held, verdict, category, seen })
      if (outcome === 'changed') return backTo(asked, held.key, 'changed')
      return outcome === 'decided' ? goOn(asked) : showCaseRefusal(asked, held.key, outcome satisfies Refusal)
    }),
  unfit: (asked) => showRefusal(asked, 'unfit'),
})

const undo = defineDeskRoute({
  method: 'POST',
  path: '/cases/:key/undo',
  needs: 'reviewer',
  answer: (asked) =>
    onCase(asked, async (held) =>
      (await undoDecision(asked.db, held)) === 'undone'
        ? backTo(asked, held.key)
        : showCaseRefusal(asked, held.key, 'too_late'),
    ),
})

const free = defineDeskRoute({
  method: 'POST',
  path: '/cases/:key/free',
  needs: 'lead',
  answer: (asked) =>
    onCase(asked, async (held) => {
      await freeClaim(asked.db, held)
      return { seeOther: '/' }
    }),
})

type Held = { key: string; staffId: string; at: Date }

/** Calls `act` with the case in the URL, the member and the time. */
async function onCase(asked: StaffRequest, act: (held: Held) => Promise<Shown>): Promise<Shown> {
  const key = readKey(asked.params['key'])
  if (!key) return showRefusal(asked, 'unknown')
  return act({ key, staffId: asked.session.member.id, at: asked.clock.now() })
}

/** Redirects back to the case, with a flag for the message to show. */
function backTo(asked: StaffRequest, key: string, says?: 'changed'): Shown {
  const to = caseUrl(key, chosenKind(asked))
  return { seeOther: says ? `${to}${to.includes('?') ? '&' : '?'}${says}` : to }
}

/** Claims the next case in the same request, so that there is no page between two cases. */
async function goOn(asked: StaffRequest): Promise<Shown> {
  const { db, clock, session } = asked
  const kind = chosenKind(asked)
  const key = await claimNext(db, { staffId: session.member.id, at: clock.now(), ...(kind && { kind }) })
  return { seeOther: key ? caseUrl(key, kind) : `/?left=none${kind ? `&kind=${kind}` : ''}` }
}

export const caseRoutes = [next, view, claim, renew, skip, decide, undo, free]
