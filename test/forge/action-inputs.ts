/** The inputs that workflows may give to an action of others, from the action.yml of the pinned version. */
export const actionInputs: Record<string, readonly string[]> = {
  'actions/attest': [
    'subject-path',
    'subject-digest',
    'subject-name',
    'sbom-path',
    'push-to-registry',
    'create-storage-record',
  ],
  'actions/checkout': ['fetch-depth', 'persist-credentials', 'ref'],
  'actions/dependency-review-action': ['fail-on-severity', 'license-check'],
  'actions/download-artifact': ['name', 'path'],
  'actions/setup-node': ['node-version', 'package-manager-cache'],
  'actions/upload-artifact': ['name', 'path', 'if-no-files-found', 'retention-days'],
  'docker/login-action': ['registry', 'username', 'password'],
  'github/codeql-action/analyze': ['category'],
  'github/codeql-action/init': ['languages', 'build-mode', 'queries'],
  'pypa/gh-action-pypi-publish': ['packages-dir', 'attestations'],
}
