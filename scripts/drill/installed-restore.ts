import { guideScript } from '../../tooling/guide.ts'

/**
 * Follows docs/runbooks/backup.md on an installed machine, with its real units: sets the backup up, publishes a post
 * before and one after a chosen second, restores to that second and switches. Fails unless the first post is there, the
 * second is not, and the ledger and the audit log are whole.
 */
export function restoreScript(domain: string, email: string): string {
  const runbook = 'docs/runbooks/backup.md'
  const post = guideScript('docs/install.md', {}, ['8. Publish the first post'])
  const chosen = { time: `'"$chosen"'`, head: `'"$known"'` }
  const statusOf = (id: string) => `$(curl -s -o /dev/null -w '%{http_code}' https://messages.${domain}/p/$${id})`
  return `${guideScript(runbook, {}, ['Set up, once'])}
cat /var/lib/broadside/checks/backup.json
DOMAIN=${domain} CONTACT_EMAIL=${email}
${post}
kept=$POST_ID known=$(broadside audit verify | grep -o '"head":"[^"]*"' | cut -d '"' -f 4)
sleep 2; chosen=$(date -u +%FT%TZ); sleep 2
${post}
lost=$POST_ID
# It completes the WAL and waits until it is archived.
runuser -u postgres -- pgbackrest --stanza=broadside check
${guideScript(runbook, chosen, ['Restore'])}
until curl -fsS https://messages.${domain}/v1/status; do sleep 1; done
echo "the post before: ${statusOf('kept')}, the post after: ${statusOf('lost')}"
[ "${statusOf('kept')}${statusOf('lost')}" = 200404 ]
broadside ledger verify
broadside audit verify --expect "$known"
`
}
