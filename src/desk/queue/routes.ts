import { defineRoute } from '../route.ts'
import { showQueue } from './page.ts'

export const queueRoutes = [
  defineRoute({ method: 'GET', path: '/', needs: 'reviewer', answer: (asked) => showQueue(asked) }),
]
