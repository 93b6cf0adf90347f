import { webhookPageRoutes } from './webhook-page.ts'
import { webhooks } from './webhooks-page.ts'

export const webhookRoutes = [webhooks, ...webhookPageRoutes]
