import { AgreementSection } from "./agreement-section.tsx";
import { ClusterForm } from "./cluster-form.tsx";
import { ClusteringList } from "./clustering-list.tsx";
import { GroupsSection } from "./groups-section.tsx";

/** Clusters of one's own: made, named, merged, divided, and compared. */
export function ClustersPanel() {
  return (
    <div className="flex flex-col gap-4">
      <ClusterForm />
      <ClusteringList />
      <GroupsSection />
      <AgreementSection />
    </div>
  );
}
