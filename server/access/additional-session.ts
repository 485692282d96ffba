/** A plugin for better-auth that opens an additional session for a user. Only this server's own code calls it; no request reaches it. */
import type { BetterAuthPlugin } from 'better-auth'
import { createAuthEndpoint } from 'better-auth/api'
import { setSessionCookie } from 'better-auth/cookies'
import { z } from 'zod'

export const additionalSessionPlugin = {
  id: 'further-session',
  endpoints: {
    /** Returns null when there is no such user. */
    createAdditionalSession: createAuthEndpoint.serverOnly(
      { method: 'POST', body: z.object({ user: z.string() }) },
      async (context) => {
        const { internalAdapter } = context.context
        const user = await internalAdapter.findUserById(context.body.user)
        if (!user) return null
        const session = await internalAdapter.createSession(user.id)
        await setSessionCookie(context, { session, user })
        return { id: user.id, name: user.name }
      },
    ),
  },
} satisfies BetterAuthPlugin
