import { createHash } from 'node:crypto'
import type { DocumentedSite } from '../deployment.ts'
import { skillMd, skillOf } from '../skill-md.ts'

const schema = 'https://schemas.agentskills.io/discovery/0.2.0/schema.json'

/** The index of the site's skills (Agent Skills Discovery 0.2.0). Clients refuse a file that its digest does not match. */
export const agentSkills = (site: DocumentedSite) => ({
  $schema: schema,
  skills: [
    {
      ...skillOf(site),
      type: 'skill-md',
      url: `${site.baseUrl}/skill.md`,
      digest: `sha256:${createHash('sha256').update(skillMd(site)).digest('hex')}`,
    },
  ],
})
