import { z } from 'zod'

/** Who runs the installation and how to reach them. The sites and the owner page show it. */
export const contactSettings = {
  OPERATOR_NAME: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .optional()
    .describe(
      'Name of the person or company that runs this installation, shown on /terms/ and on the owner page; the host of ACCOUNT_PAGE_URL by default.',
    ),
  OPERATOR_TERMS: z
    .string()
    .min(1)
    .max(100_000)
    .refine((text) => !/\]\((?!https?:|mailto:|\/|#)/.test(text))
    .optional()
    .describe(
      'The operator’s own terms, in Markdown, shown on /terms/ after the policy: postal address, law that applies, liability. Links must be http:, https: or mailto: URLs, paths or fragments. Usually given as OPERATOR_TERMS_FILE.',
    ),
  CONTACT_EMAIL: z
    .email()
    .optional()
    .describe(
      'Contact address shown on the sites and on the owner page; hello@ followed by the host of ACCOUNT_PAGE_URL by default.',
    ),
  SECURITY_CONTACT: z
    .url({ protocol: /^(https|mailto)$/ })
    .optional()
    .describe('Contact for vulnerability reports, a mailto: or https: URL; CONTACT_EMAIL by default.'),
}

/** The settings that `operatorFrom` reads. */
export const operatorIdentity = ['ACCOUNT_PAGE_URL', 'OPERATOR_NAME', 'CONTACT_EMAIL'] as const

/** Who runs the installation, and their contact address. */
export type Operator = { name: string; email: string }

type Given = { ACCOUNT_PAGE_URL: string; OPERATOR_NAME?: string | undefined; CONTACT_EMAIL?: string | undefined }

export function operatorFrom(settings: Given): Operator {
  const { hostname } = new URL(settings.ACCOUNT_PAGE_URL)
  return { name: settings.OPERATOR_NAME ?? hostname, email: settings.CONTACT_EMAIL ?? `hello@${hostname}` }
}
