"""datasets/training/progress.py: an interrupted run goes on from its file."""

from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="training needs torch (the extra `train`)")


def test_a_run_goes_on_where_it_was_saved(tmp_path: Path) -> None:
    from datasets.training.progress import resume, save

    model, average = torch.nn.Linear(2, 1), torch.nn.Linear(2, 1)
    optimizer = torch.optim.AdamW(model.parameters())
    model(torch.ones(1, 2)).sum().backward()
    optimizer.step()
    state = tmp_path / "state.pt"
    save(state, model, average, optimizer, 7)
    other, other_average = torch.nn.Linear(2, 1), torch.nn.Linear(2, 1)
    other_optimizer = torch.optim.AdamW(other.parameters())
    assert resume(state, other, other_average, other_optimizer) == 7
    assert torch.equal(other.weight, model.weight)
    assert torch.equal(other_average.weight, average.weight)
    assert other_optimizer.state_dict()["state"].keys() == optimizer.state_dict()["state"].keys()
    assert list(tmp_path.iterdir()) == [state]


def test_a_new_run_begins_at_the_first_step(tmp_path: Path) -> None:
    from datasets.training.progress import resume

    model = torch.nn.Linear(2, 1)
    assert resume(tmp_path / "state.pt", model, model, torch.optim.AdamW(model.parameters())) == 0
