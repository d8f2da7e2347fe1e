-- A technician is in one place at a time. Of two slots that overlap, one gets 409, even if they come at the same time.
-- schema: e376308f92bbf026e75edefbf6216b536b4ac91c4c3731a4927bf0634f95999c -> e376308f92bbf026e75edefbf6216b536b4ac91c4c3731a4927bf0634f95999c

CREATE EXTENSION btree_gist;
ALTER TABLE slot
  ADD CONSTRAINT slot_order CHECK (begins < ends),
  ADD CONSTRAINT slot_no_overlap EXCLUDE USING gist (technician WITH =, tstzrange(begins, ends) WITH &&);
