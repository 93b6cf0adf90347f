import type { moderationJobs } from './jobs.ts'

/** Short posts and long posts wait in queues of their own. */
export type ModerationLane = 'short' | 'long'
export const lanes = ['short', 'long'] as const satisfies readonly ModerationLane[]

/** Every message is short, and so are most ads and events. */
export const mostShortWindows = 16

export const laneOf = (windows: number): ModerationLane => (windows <= mostShortWindows ? 'short' : 'long')

export const jobOfLane = {
  short: 'moderate-post',
  long: 'moderate-long-post',
} as const satisfies Record<ModerationLane, (typeof moderationJobs)[number]>

/**
 * The job that a new post or edit gets. A model that does not run must not be started for what the rules refuse, so such
 * posts are screened first. Else the same is done with less work by the job that asks the model.
 */
export const firstJob = (windows: number, state: 'running' | 'starting') =>
  state === 'running' ? jobOfLane[laneOf(windows)] : 'screen-post'

/** Names the job of a post or edit, so that it is enqueued once and can be found. */
export const jobKey = (postId: string, edit: number): string => `${postId}:${edit}`
