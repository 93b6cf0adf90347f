import { guideScript } from '../../tooling/guide.ts'

/**
 * Follows docs/runbooks/upgrade.md on an installed machine, forth and back, while requests arrive: the same release a
 * second time, as another version, with one secret more. The client accepts no compressed page. Prints how many requests
 * failed, and fails if any did.
 */
export const upgradeScript = (origin: string, releaseUrl: string) => `
ask() {
  until [ -e /run/drill-stop ]; do
    for path in /v1/status / /feed.xml; do
      curl -fsS -m 10 -o /dev/null "${origin}$path" 2>>/run/drill-failed && echo >>/run/drill-answered
    done
    sleep 0.1
  done
}
ask &
${guideScript('docs/runbooks/upgrade.md', {}, ['Before'])}
# As if the new release read a secret that the old one did not have.
rm /etc/broadside/secrets/DESK_SECRET
${guideScript('docs/runbooks/upgrade.md', { NEW: 'again', RELEASE_URL: releaseUrl }, ['Upgrade', 'Return to the previous release'])}
touch /run/drill-stop
wait
readlink /opt/broadside/current
echo "requests answered: $(wc -l </run/drill-answered), failed: $(wc -l </run/drill-failed)"
cat /run/drill-failed
[ ! -s /run/drill-failed ]
`
