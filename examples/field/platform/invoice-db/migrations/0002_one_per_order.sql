-- A work order can be billed again only if its invoice is void.
-- schema: 7067fb5563f0e0110ea2167915646ccfaab5739eb171012b5103ac40ea8e5cd6 -> 7067fb5563f0e0110ea2167915646ccfaab5739eb171012b5103ac40ea8e5cd6

CREATE UNIQUE INDEX invoice_one_per_order ON invoice (work_order) WHERE status <> 'void';
