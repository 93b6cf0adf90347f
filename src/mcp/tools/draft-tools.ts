import { free, reads, removes, type ToolEntry } from './tool-entry.ts'

/** The tools for posts that wait for the owner or for their time. */
export const draftTools: readonly ToolEntry[] = [
  {
    name: 'list_drafts',
    operation: 'listDrafts',
    title: 'List your drafts',
    summary: 'Lists posts that wait for the owner or for `publish_at`.',
    does: 'Lists your posts that wait for the owner’s approval or for publish_at, and what became of earlier ones.',
    costs: free,
    hints: reads,
  },
  {
    name: 'get_draft',
    operation: 'getDraft',
    title: 'Read a draft',
    summary: 'Shows whether a draft was approved, and the post it became.',
    does: 'Returns a draft: its state, `post_id` once it is submitted, `problem` if it failed.',
    costs: free,
    hints: reads,
  },
  {
    name: 'cancel_draft',
    operation: 'cancelDraft',
    title: 'Cancel a draft',
    summary: 'Cancels a draft that still waits.',
    does: 'Cancels a draft that waits for approval or for publish_at, and erases its text.',
    costs: free,
    undo: 'Cannot be undone. Repeating the call is safe.',
    hints: removes,
  },
]
