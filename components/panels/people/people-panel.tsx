'use client'

export default function PeoplePanel() {
  return <p className="p-4 text-sm text-muted">This panel is not built yet.</p>
}
