import { defineRoute } from '../route.ts'
import { changeOne, showOne } from './change-key.ts'
import { createOne } from './create-key.ts'
import { keysPage } from './keys-page.ts'
import { askToRevoke, revokeOne } from './revoke-key.ts'

const showAll = defineRoute({
  method: 'GET',
  path: '/account/keys',
  needs: 'session',
  answer: (asked) => keysPage(asked),
})

export const keyRoutes = [showAll, createOne, showOne, changeOne, askToRevoke, revokeOne]
