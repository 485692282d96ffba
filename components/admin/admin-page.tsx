'use client'

import { useQuery } from '@tanstack/react-query'
import { queryClient } from '@/components/query-client.ts'
import { Button } from '@/components/ui/button.tsx'
import { PageFrame } from '@/components/charts/page-frame.tsx'
import { ADMIN_SAMPLE_INTERVAL_MS, type AdminFigures } from '@/lib/protocol/admin.ts'
import { adminStrings } from '@/lib/strings/admin.ts'
import { fetchFigures, signOut } from './admin-api.ts'
import { FigureCharts } from './figure-charts.tsx'
import { SignInForm } from './sign-in-form.tsx'

const queryKey = ['admin', 'figures']

export function AdminPage() {
  const { data, error } = useQuery(
    {
      queryKey,
      queryFn: ({ signal }) => fetchFigures(signal),
      retry: false,
      // Nobody who has not signed in is asked again and again.
      refetchInterval: ({ state }) => (state.data ? ADMIN_SAMPLE_INTERVAL_MS : false),
    },
    queryClient,
  )
  const end = async () => {
    await signOut()
    queryClient.setQueryData(queryKey, null)
  }
  return (
    <PageFrame
      id="server"
      skipText={adminStrings.skip}
      title={adminStrings.title}
      description={adminStrings.sentence}
      controls={
        data && (
          <Button look="quiet" shape="small" onClick={() => void end()}>
            {adminStrings.signOut}
          </Button>
        )
      }
    >
      {data === undefined && !error && <p className="text-muted">{adminStrings.loading}</p>}
      {error && (
        <p role="alert" className="text-danger">
          {data ? adminStrings.stale : error.message}
        </p>
      )}
      {data === null && <SignInForm onSignedIn={() => void queryClient.invalidateQueries({ queryKey })} />}
      {data && <Figures figures={data} />}
    </PageFrame>
  )
}

function Figures({
  figures: { version, store, node, space, uptimeSeconds, samples },
}: {
  figures: AdminFigures
}) {
  const minutes = Math.floor(uptimeSeconds / 60)
  const uptime = adminStrings.uptime(Math.floor(minutes / 60), minutes % 60)
  return (
    <>
      <p className="text-sm text-muted">
        {adminStrings.facts(version, store, uptime)} {node && adminStrings.node(node.name, node.count)}
      </p>
      <p className="text-sm text-muted">{adminStrings.space(space)}</p>
      <FigureCharts samples={samples} />
    </>
  )
}
