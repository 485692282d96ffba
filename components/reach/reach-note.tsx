import type { Reach } from './addresses'

/** Why another device might not come by these addresses. */
export function ReachNote({ reach }: { reach: Reach }) {
  if (reach.onlyHere)
    return (
      <p className="text-muted">
        This address opens on this computer only. To reach it from other devices, start Diptych with
        HOST=0.0.0.0 or with a PUBLIC_URL, and come by https.
      </p>
    )
  if (!reach.warns) return null
  return <p className="text-muted">The other device may warn of this server’s own certificate.</p>
}
