import { LoadingRows } from '@/components/documents/loading-rows.tsx'
import { pagesStrings } from '@/lib/strings/pages.ts'

export default function Loading() {
  return (
    <main className="mx-auto max-w-5xl px-4 pt-32 sm:px-6">
      <h1 className="font-serif text-3xl font-semibold tracking-tight sm:text-4xl">
        {pagesStrings.tab.documents}
      </h1>
      <LoadingRows />
    </main>
  )
}
