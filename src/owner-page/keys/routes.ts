import { defineOwnerRoute } from '../route.ts'
import { confirmRoutes } from './confirm-keys.ts'
import { createOne } from './create-key.ts'
import { askToRevoke, changeOne, revokeOne, showOne } from './key-page.ts'
import { keysPage } from './keys-page.ts'

const showAll = defineOwnerRoute({
  method: 'GET',
  path: '/account/keys',
  needs: 'session',
  answer: (asked) => keysPage(asked),
})

export const keyRoutes = [...[showAll, createOne, showOne, changeOne, askToRevoke, revokeOne], ...confirmRoutes]
