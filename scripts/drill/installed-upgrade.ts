import { guideScript } from './guide.ts'

/**
 * Follows docs/runbooks/upgrade.md on an installed machine, forth and back, while requests arrive: the same release a
 * second time, as another version. Prints how many requests failed, and fails if any did.
 */
export const upgradeScript = (origin: string, releaseUrl: string) => `
ask() {
  until [ -e /run/drill-stop ]; do
    curl -fsS -m 10 -o /dev/null '${origin}/v1/status' 2>>/run/drill-failed && echo >>/run/drill-answered
    sleep 0.1
  done
}
ask &
${guideScript('docs/runbooks/upgrade.md', { NEW: 'again', RELEASE_URL: releaseUrl })}
touch /run/drill-stop
wait
readlink /opt/broadside/current
echo "requests answered: $(wc -l </run/drill-answered), failed: $(wc -l </run/drill-failed)"
cat /run/drill-failed
[ ! -s /run/drill-failed ]
`
