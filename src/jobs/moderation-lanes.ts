import type { moderationJobs } from './jobs.ts'

/** Short and long posts wait in separate queues. */
export type ModerationLane = 'short' | 'long'
export const lanes = ['short', 'long'] as const satisfies readonly ModerationLane[]

/** The maximum size of a short post. All messages are short, and so are most ads and events. */
export const mostShortWindows = 16

export const laneOf = (windows: number): ModerationLane => (windows <= mostShortWindows ? 'short' : 'long')

export const jobOfLane = {
  short: 'moderate-post',
  long: 'moderate-long-post',
} as const satisfies Record<ModerationLane, (typeof moderationJobs)[number]>

/**
 * The job for a new post or edit. While the model is not running, posts are screened first, so that it is not started
 * for posts that the rules reject. While it is running, the moderation job does the same with less work.
 */
export const firstJob = (windows: number, state: 'running' | 'starting') =>
  state === 'running' ? jobOfLane[laneOf(windows)] : 'screen-post'

/** The key of the job for a post or edit, so that the job is enqueued only once and can be found. */
export const jobKey = (postId: string, edit: number): string => `${postId}:${edit}`
