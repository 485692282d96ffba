/** The forms of the editor are chunks of their own. */
export const loadLinkForm = () => import('./link-form.tsx')
export const loadCommentForm = () => import('./comment-form.tsx')
