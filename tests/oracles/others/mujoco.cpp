// SPDX-License-Identifier: BSD-3-Clause
// MuJoCo with its own reader of URDF (Debian: libmujoco-dev).
#include <mujoco/mujoco.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <stdexcept>

#include "oracles/others/peer.hpp"

namespace jounce::others {
namespace {

struct Delete {
  void operator()(mjModel* model) const { mj_deleteModel(model); }
  void operator()(mjData* data) const { mj_deleteData(data); }
};

/// MuJoCo reads files, and keeps links apart where it is told to.
std::unique_ptr<mjModel, Delete> read(std::string text) {
  const std::size_t end = text.rfind("</robot>");
  if (end == std::string::npos) throw std::runtime_error("is not URDF");
  text.insert(end, "<mujoco><compiler fusestatic=\"false\" strippath=\"false\"/></mujoco>");
  std::string path = std::filesystem::temp_directory_path() / "jounce_othersXXXXXX.urdf";
  const int file = mkstemps(path.data(), 5);
  if (file < 0) throw std::runtime_error("cannot write " + path);
  std::FILE* out = fdopen(file, "w");
  std::fwrite(text.data(), 1, text.size(), out);
  std::fclose(out);
  char error[1000] = "";
  mjModel* const model = mj_loadXML(path.c_str(), nullptr, error, sizeof error);
  unlink(path.c_str());
  if (model == nullptr) throw std::runtime_error(error);
  return std::unique_ptr<mjModel, Delete>(model);
}

}  // namespace

Answer ask_mujoco(const Question& question) {
  mju_user_warning = [](const char*) {};  // else they go to a file in the current folder
  mju_user_error = [](const char*) { _exit(2); };
  const std::unique_ptr<mjModel, Delete> model = read(question.text);
  Answer answer{model->nq, model->nv, {}, {}, {}, {}};
  if (model->nq != model->nv) return answer;
  for (int k = 0; k < model->njnt; ++k)
    answer.coordinates.emplace_back(mj_id2name(model.get(), mjOBJ_JOINT, k));
  if (answer.coordinates.empty()) return answer;
  model->opt.disableflags |= mjDSBL_CONSTRAINT | mjDSBL_PASSIVE;
  const std::unique_ptr<mjData, Delete> data(mj_makeData(model.get()));
  using Map = Eigen::Map<Eigen::VectorXd>;
  const auto n = model->nv;
  Map(data->qpos, n) = numbers_of(answer.coordinates, "q");
  Map(data->qvel, n) = numbers_of(answer.coordinates, "v");
  Map(data->qacc, n) = numbers_of(answer.coordinates, "a");
  mj_inverse(model.get(), data.get());
  answer.tau = Map(data->qfrc_inverse, n);
  Map(data->qfrc_applied, n) = numbers_of(answer.coordinates, "tau");
  mj_forward(model.get(), data.get());
  answer.a = Map(data->qacc, n);
  Eigen::Matrix<double, -1, -1, Eigen::RowMajor> M(n, n);
  mj_fullM(model.get(), M.data(), data->qM);
  answer.M = M;
  return answer;
}

}  // namespace jounce::others
