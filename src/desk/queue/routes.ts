import { defineDeskRoute } from '../route.ts'
import { showQueue } from './queue-page.ts'

export const queueRoutes = [
  defineDeskRoute({ method: 'GET', path: '/', needs: 'reviewer', answer: (asked) => showQueue(asked) }),
]
